// Forms of words that Python finds.
#pragma once

#include <nanobind/nanobind.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/buffer.hpp"
#include "base/poll.hpp"
#include "kernel/columns.hpp"
#include "kernel/gil.hpp"
#include "text/forms.hpp"
#include "text/text.hpp"

namespace bleu_rouge {

/// Asks a function of Python, from a str to a list of the form, which is empty if there is none.
class WordForms : public Forms {
 public:
  explicit WordForms(nb::callable find) : find_(std::move(find)) {}

  /// Raises: nb::python_error, what the function raises.
  std::optional<std::string> find(std::string_view word) const override {
    const TakenGil taken;
    const nb::object text = nb::steal(PyUnicode_DecodeUTF8(
        word.data(), static_cast<Py_ssize_t>(word.size()), "surrogatepass"));
    if (!text.is_valid()) throw nb::python_error();
    const auto forms = nb::cast<nb::list>(find_(text));
    if (forms.size() == 0) return std::nullopt;
    const nb::object form = forms[0];
    const Str str = read_str(form);
    check_length(str.length, 0);
    Poll poll;
    Buffer<char> utf8;
    return std::string(
        read_utf8({str.data, static_cast<std::uint32_t>(str.length), str.units}, utf8, poll));
  }

 private:
  nb::callable find_;
};

}  // namespace bleu_rouge
