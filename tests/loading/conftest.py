"""The environments, for every test of this folder."""

from .environments import bare, editable, installed

__all__ = ["bare", "editable", "installed"]
