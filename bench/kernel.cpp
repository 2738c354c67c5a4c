// Counts ROUGE of the pairs of a file, as the kernel does for a batch; or only reads, classifies and
// hashes their tokens, which is the floor. bench/kernel.py counts the instructions of both.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/hashes.hpp"
#include "base/poll.hpp"
#include "kernel/counter.hpp"
#include "kernel/samples.hpp"
#include "text/encoder.hpp"

namespace {

using bleu_rouge::Text;

/// The texts of a file, each with a zero byte after it; predictions and references take turns.
struct Pairs {
  explicit Pairs(const char* path) {
    std::ifstream file(path, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(file), {});
    bool is_prediction = true;
    for (std::size_t at = 0; at < bytes.size();) {
      const std::size_t end = bytes.find('\0', at);
      const Text text{bytes.data() + at, static_cast<std::uint32_t>(end - at),
                      bleu_rouge::Units::kUtf8};
      (is_prediction ? predictions : references).push_back(text);
      is_prediction = !is_prediction;
      at = end + 1;
    }
    for (std::size_t pair = 0; pair <= references.size(); ++pair) {
      bounds.push_back(static_cast<std::int64_t>(pair));
    }
  }

  std::string bytes;
  std::vector<Text> predictions;
  std::vector<Text> references;
  std::vector<std::int64_t> bounds;
};

std::uint64_t read_only(const Pairs& pairs, bleu_rouge::Tokenizer tokenizer) {
  bleu_rouge::Poll poll;
  bleu_rouge::Encoder encoder({tokenizer}, poll);
  bleu_rouge::Buffer<char> utf8;
  std::uint64_t sum = 0;
  const bleu_rouge::HashSeed& seed = bleu_rouge::process_seed();
  for (const auto* texts : {&pairs.predictions, &pairs.references}) {
    for (const Text& text : *texts) {
      encoder.for_each_word(bleu_rouge::read_utf8(text, utf8, poll),
                            [&](std::size_t count, auto&& word_at) {
                              for (std::size_t index = 0; index < count; ++index) {
                                const bleu_rouge::Word word = word_at(index);
                                sum += bleu_rouge::mix(word.low, word.high, seed);
                              }
                            });
    }
  }
  return sum;
}

std::uint64_t count_all(const Pairs& pairs, bleu_rouge::Tokenizer tokenizer,
                        std::vector<std::int64_t>& counts) {
  bleu_rouge::Poll poll;
  const bleu_rouge::CountPlan columns{.orders = {1, 2}, .lcs = true, .summary = true};
  counts.resize(pairs.references.size() * columns.size() * 3);
  bleu_rouge::Counter counter(
      bleu_rouge::TextSource(pairs.predictions, pairs.references, {tokenizer}, poll),
      pairs.bounds, columns, counts, {}, poll);
  for (std::size_t pair = 0; pair < pairs.predictions.size(); ++pair) counter.count(pair);
  return static_cast<std::uint64_t>(counts.back());
}

}  // namespace

/// Arguments: the file, "floor" or "rouge", "rouge" or "stemmed", and how often to do it.
int main(int count, char** arguments) {
  if (count != 5) return EXIT_FAILURE;
  const Pairs pairs(arguments[1]);
  const auto tokenizer = std::string_view(arguments[3]) == "stemmed"
                             ? bleu_rouge::Tokenizer::kRougeStemmed
                             : bleu_rouge::Tokenizer::kRouge;
  std::vector<std::int64_t> counts;
  std::uint64_t sum = 0;
  for (int times = std::atoi(arguments[4]); times > 0; --times) {
    sum += std::string_view(arguments[2]) == "floor" ? read_only(pairs, tokenizer)
                                                     : count_all(pairs, tokenizer, counts);
  }
  std::printf("%llu\n", static_cast<unsigned long long>(sum));
}
