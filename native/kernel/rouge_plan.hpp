// What Python asks the kernel to count for ROUGE.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <span>
#include <stdexcept>
#include <vector>

#include "counts/short_overlap.hpp"
#include "kernel/arguments.hpp"
#include "kernel/columns.hpp"
#include "kernel/count_rouge.hpp"

namespace bleu_rouge {

/// What count_rouge counts.
class RougePlan {
 public:
  using Values = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

  RougePlan(const std::vector<nb::int_>& orders, bool lcs, bool summary,
            const std::vector<nb::int_>& skip_distances, bool unigrams_but_last,
            const Values& values, bool lin2004, bool once, bool pairs)
      : values_(copy(values)),
        columns_{read_numbers("an order", orders, kShortOrders),
                 lcs,
                 summary,
                 read_numbers("a skip distance", skip_distances, kMostDistance),
                 unigrams_but_last,
                 {},
                 lin2004,
                 once,
                 pairs} {
    if (!std::ranges::is_sorted(columns_.orders, std::ranges::less_equal{})) {
      throw std::invalid_argument("orders are not ascending.");
    }
    const std::size_t lengths = values.shape(1);
    for (std::size_t row = 0; row < values.shape(0); ++row) {
      columns_.values.push_back(std::span(values_).subspan(row * lengths, lengths));
    }
  }
  RougePlan(const RougePlan&) = delete;
  RougePlan& operator=(const RougePlan&) = delete;

  const RougeColumns& columns() const { return columns_; }

 private:
  std::vector<double> values_;  // of the weighted LCS
  RougeColumns columns_;
};

}  // namespace bleu_rouge
