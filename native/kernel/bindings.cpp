// The kernel as the Python module bleu_rouge_kernel. Only this folder uses Python, and here
// neither counter.hpp nor what it includes.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "kernel/calls.hpp"
#include "kernel/columns.hpp"
#include "kernel/text_pool.hpp"
#include "text/tokenizers.hpp"
#include "unicode_tables.hpp"

#if defined(BLEU_ROUGE_FAILING_MEMORY)
#include "kernel/failing_memory.hpp"
#endif

namespace nb = nanobind;

namespace bleu_rouge {
namespace {

// Add 1 whenever the names below or their counts change; native_kernel.py has the same number.
constexpr int kVersion = 11;

}  // namespace
}  // namespace bleu_rouge

NB_MODULE(bleu_rouge_kernel, module) {
  using bleu_rouge::IdColumn;
  using bleu_rouge::CountPlan;
  using bleu_rouge::TextColumn;
  using bleu_rouge::Tokenization;  // of texts; ids have none
  using bleu_rouge::WordForms;

  // nanobind frees an array with PyGILState_Ensure, which waits forever in a sub-interpreter.
  // Python 3.12 and later refuse by themselves only if the sub-interpreter is isolated.
  if (PyInterpreterState_Get() != PyInterpreterState_Main()) {
    throw nb::import_error("bleu_rouge_kernel does not run in a sub-interpreter");
  }
  module.attr("VERSION") = bleu_rouge::kVersion;
  // Prepared pairs stay in caches of Python until it ends, which is no leak.
  nb::set_leak_warnings(false);

#if defined(BLEU_ROUGE_FAILING_MEMORY)
  module.def("fail_allocation", &bleu_rouge::fail_allocation, nb::arg("count"));
#endif

  nb::class_<WordForms>(module, "WordForms").def(nb::init<nb::callable>(), nb::arg("find"));
  nb::class_<Tokenization>(module, "Tokenization")
      .def("__init__",
           [](Tokenization* self, std::string_view name, bool lowercase, std::size_t words, std::size_t bytes, std::shared_ptr<WordForms> forms) {
             new (self) Tokenization(bleu_rouge::make_tokenization(
                 name, lowercase, {words, bytes}, std::move(forms)));
           },
           nb::arg("name"), nb::arg("lowercase") = false, nb::arg("word_limit") = 0,
           nb::arg("byte_limit") = 0, nb::arg("forms").none() = nb::none());
  module.attr("UNICODE_VERSION") = bleu_rouge::kUnicodeVersion;
  module.attr("REGEX_VERSION") = bleu_rouge::kRegexVersion;
  module.attr("BREAK_GAPS") = nb::tuple(nb::cast(bleu_rouge::kBreakGaps));
  nb::class_<TextColumn>(module, "TextColumn")
      .def(nb::init<const nb::list&>(), nb::arg("texts"))
      .def_static("of_arrow", &TextColumn::of_arrow<std::int32_t>, nb::arg("chunks"))
      .def_static("of_arrow", &TextColumn::of_arrow<std::int64_t>, nb::arg("chunks"))
      .def("__len__", &TextColumn::size);
  nb::class_<IdColumn>(module, "IdColumn")
      .def(nb::init<const IdColumn::Array&, const IdColumn::Array&, const IdColumn::Array&,
                    const IdColumn::Array&, const IdColumn::Array&, const IdColumn::Array&>(),
           nb::arg("tokens"), nb::arg("bounds"), nb::arg("sentence_tokens"),
           nb::arg("sentence_bounds"), nb::arg("ends"), nb::arg("ends_bounds"))
      .def("__len__", &IdColumn::size);

  nb::class_<CountPlan>(module, "CountPlan")
      .def(nb::new_(&bleu_rouge::make_plan), nb::arg("orders"), nb::arg("lcs"), nb::arg("summary"),
           nb::arg("skip_distances"), nb::arg("unigrams_but_last"), nb::arg("values"),
           nb::arg("lin2004"), nb::arg("once") = false, nb::arg("pairs") = false,
           nb::arg("clipped") = false);

  using bleu_rouge::PairCounter;
  // A lock where Python has no GIL.
  nb::class_<PairCounter>(module, "PairCounter")
      .def(nb::init<const Tokenization&, const CountPlan&>(), nb::arg("tokenization"),
           nb::arg("plan"))
      .def("count", &PairCounter::count, nb::arg("prediction"), nb::arg("references"),
           nb::lock_self());

  using bleu_rouge::NearestIndex;
  using bleu_rouge::TextPool;
  nb::class_<TextPool>(module, "TextPool")
      .def(nb::init<const Tokenization*, bool>(), nb::arg("tokenization").none(),
           nb::arg("has_sentences"))
      .def("add", nb::overload_cast<const TextColumn&>(&TextPool::add), nb::arg("texts"))
      .def("add", nb::overload_cast<const IdColumn&>(&TextPool::add), nb::arg("texts"))
      .def("truncate", &TextPool::truncate, nb::arg("count"));
  nb::class_<NearestIndex>(module, "NearestIndex")
      .def(nb::init<TextPool&, const CountPlan&>(), nb::arg("pool"), nb::arg("plan"),
           nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>())
      .def("add", &NearestIndex::add, nb::arg("texts"), nb::arg("kinds"))
      .def("search", &NearestIndex::search, nb::arg("texts"), nb::arg("kinds"), nb::arg("values"),
           nb::arg("starts"), nb::arg("threads"), nb::arg("places").noconvert(),
           nb::arg("scores").noconvert(), nb::arg("compared").noconvert());
  module.def("count_pool", &bleu_rouge::count_pool, nb::arg("pool"), nb::arg("rows"),
             nb::arg("offsets"), nb::arg("columns"), nb::arg("plan"), nb::arg("threads"),
             nb::arg("counts").noconvert(), nb::arg("weighted").noconvert());

  module.def("count", &bleu_rouge::count<TextColumn, Tokenization>, nb::arg("predictions"),
             nb::arg("references"), nb::arg("offsets"), nb::arg("tokenization"), nb::arg("plan"),
             nb::arg("threads"), nb::arg("counts").noconvert(), nb::arg("weighted").noconvert());
  module.def("count", &bleu_rouge::count<IdColumn>, nb::arg("predictions"),
             nb::arg("references"), nb::arg("offsets"), nb::arg("plan"), nb::arg("threads"),
             nb::arg("counts").noconvert(), nb::arg("weighted").noconvert());
  module.def("are_texts", &bleu_rouge::are_texts, nb::arg("items").lock());
  module.def("find_suspects", &bleu_rouge::find_suspects, nb::arg("items").lock());
  module.def("tokenize", &bleu_rouge::tokenize, nb::arg("texts"), nb::arg("tokenization"));
  module.def("stem", &bleu_rouge::stem, nb::arg("word"));
}
