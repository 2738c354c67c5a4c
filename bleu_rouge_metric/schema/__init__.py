"""What an option is: its row of the table, the kinds of its values, and checks of them."""
