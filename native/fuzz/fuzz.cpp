// A coverage-guided fuzzer (libFuzzer): compares the kernel with an oracle of plain loops, maps and
// tables.
//
// The first byte of the input chooses the tokenizer. The second byte chooses the longest order and,
// if it is at least 128, the counts of the paper. The rest is texts, separated by the byte FF: a
// prediction, then its references. Texts that are not UTF-8 have no defined tokens; the kernel must
// only read them without a memory error.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/oracle.hpp"
#include "fuzz/oracle_text.hpp"
#include "fuzz/pool_checks.hpp"
#include "kernel/counter.hpp"

namespace {

using namespace oracle;

[[noreturn]] void fail(const char* what) {
  std::fprintf(stderr, "The kernel differs from the oracle: %s\n", what);
  std::abort();
}

std::int64_t count_union_lcs(const TokenLists& references, const TokenLists& predictions,
                             bool clips) {
  std::map<std::string, std::int64_t> left;
  for (const Tokens& sentence : predictions) {
    for (const std::string& token : sentence) ++left[token];
  }
  std::int64_t hits = 0;
  for (const Tokens& reference : references) {
    std::vector<bool> in_union(reference.size());
    for (const Tokens& prediction : predictions) {
      const Table table = make_lcs_table(reference, prediction);
      std::size_t i = reference.size();
      std::size_t j = prediction.size();
      while (i > 0 && j > 0) {
        if (reference[i - 1] == prediction[j - 1]) {
          in_union[--i] = true;
          --j;
        } else if (table[i][j - 1] > table[i - 1][j]) {
          --j;
        } else {
          --i;
        }
      }
    }
    for (std::size_t i = 0; i < reference.size(); ++i) {
      if (in_union[i] && (!clips || left[reference[i]]-- > 0)) ++hits;
    }
  }
  return hits;
}

TokenLists tokenize_lines(std::u32string text, bleu_rouge::Tokenization tokenization) {
  Tokenizer& tokenizer = tokenization.tokenizer;
  if (tokenizer == Tokenizer::kXlsum) tokenizer = Tokenizer::kXlsumLine;
  TokenLists lines;
  text += U'\n';
  while (!text.empty()) {
    const std::size_t end = text.find(U'\n');
    if (end > 0) lines.push_back(tokenize(text.substr(0, end), tokenization));
    text.erase(0, end + 1);
  }
  return lines;
}

std::int64_t count_tokens(const TokenLists& lines) {
  std::int64_t count = 0;
  for (const Tokens& line : lines) count += static_cast<std::int64_t>(line.size());
  return count;
}

/// Checks that a text given as units of fixed width is converted to the expected UTF-8.
template <class Unit>
void compare_units(const std::u32string& codes, const std::string& expected) {
  for (const char32_t code : codes) {
    if (code != static_cast<Unit>(code)) return;
  }
  const std::vector<Unit> units(codes.begin(), codes.end());
  const auto width = static_cast<bleu_rouge::Units>(sizeof(Unit));
  const bleu_rouge::Text text{units.data(), static_cast<std::uint32_t>(units.size()), width};
  bleu_rouge::Buffer<char> scratch;
  bleu_rouge::Poll poll;
  if (bleu_rouge::read_utf8(text, scratch, poll) != expected) fail("UTF-8");
  if (bleu_rouge::count_utf8(units.data(), units.size(), width) != expected.size()) fail("size");
}

void compare_transcoded(const std::u32string& codes, const std::string& expected) {
  compare_units<std::uint8_t>(codes, expected);
  compare_units<std::uint16_t>(codes, expected);
  compare_units<std::uint32_t>(codes, expected);
}

constexpr std::size_t kAnyDistance = std::size_t{1} << 31;

void compare_weighted(const double* found, const TokenLists& predictions,
                      const TokenLists& references, const std::vector<double>& values,
                      bool lin2004) {
  if (std::max(count_longest(predictions), count_longest(references)) >= values.size()) {
    if (found[0] != -1) fail("too long");
    return;
  }
  const WeightedOracle oracle{predictions, values};
  double hits = 0;
  double base = 0;
  if (lin2004) {
    hits = oracle.make_table(references[0], predictions[0]).back().back();
    base = static_cast<double>(references[0].size());
  } else {
    hits = oracle.count_hits(references);
    for (const Tokens& reference : references) base += values[reference.size()];
  }
  if (found[0] != hits) fail("weighted LCS");
  if (found[1] != static_cast<double>(count_tokens(predictions)) || found[2] != base) fail("base");
}

/// Checks the counts of pltrdy's ROUGE for one pair of texts.
void compare_pairs(const std::int64_t* found, const bleu_rouge::CountPlan& columns,
                   const Tokens& prediction, const Tokens& reference,
                   const TokenLists& prediction_lines, const TokenLists& lines) {
  const auto compare = [&found](const Triple& expected) {
    if (found[0] != expected.hits) fail("hits of sentence pairs");
    if (found[1] != expected.prediction || found[2] != expected.reference) fail("their totals");
    found += 3;
  };
  for (const std::size_t order : columns.orders) {
    if (columns.once) {
      compare(count_distinct_ngrams(prediction, reference, order));
    } else {
      compare({count_overlap(count_ngrams(prediction, order), count_ngrams(reference, order)),
               total(prediction, order), total(reference, order)});
    }
  }
  compare(count_sentence_pairs(prediction_lines, lines, columns.once));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  constexpr std::size_t kCount = bleu_rouge::kTokenizers.size();
  bleu_rouge::Tokenization tokenization{static_cast<Tokenizer>(data[0] % kCount)};
  if (data[0] / kCount % 2 == 1) tokenization.forms = std::make_shared<oracle::OracleForms>();
  const std::size_t max_order = 1 + data[1] % 9;
  // Each text has its own memory, so that the sanitizer sees a read beyond its end.
  std::vector<std::string> texts(1);
  for (std::size_t at = 2; at < size; ++at) {
    if (data[at] == 0xFF) texts.emplace_back();
    if (data[at] != 0xFF) texts.back().push_back(static_cast<char>(data[at]));
  }
  for (std::string& text : texts) text.shrink_to_fit();
  std::vector<bleu_rouge::Text> views;
  for (const std::string& text : texts) {
    views.push_back({text.data(), static_cast<std::uint32_t>(text.size()), bleu_rouge::Units::kUtf8});
  }
  const bleu_rouge::Texts all(views);
  const std::size_t references = texts.size() - 1;
  const std::vector<std::int64_t> bounds{0, static_cast<std::int64_t>(references)};

  // There are fewer values than the longest texts have tokens.
  std::vector<double> values;
  for (int run = 0; run < 200; ++run) values.push_back(std::pow(run, 1.2));
  const bool lin2004 = data[1] >= 128;
  bleu_rouge::CountPlan columns{{},   true,     true,   {1, 4, 50, kAnyDistance},
                                   true, {values}, lin2004};
  for (std::size_t order = 1; order <= max_order; ++order) columns.orders.push_back(order);
  std::vector<std::int64_t> counts(references * columns.size() * 3, -1);
  std::vector<double> weighted(references * 3, -2);
  bleu_rouge::CountPlan clipped_columns{.orders = columns.orders, .clipped = true};
  std::vector<std::int64_t> clipped_counts(references * max_order * 3, -1);
  bleu_rouge::Poll poll;
  const auto make_source = [&] {
    return bleu_rouge::TextSource(all.first(1), all.subspan(1), tokenization, poll);
  };
  // pltrdy's ROUGE: once, or all.
  const bool once = !lin2004;
  bleu_rouge::CountPlan pair_columns{.orders = columns.orders, .once = once, .pairs = true};
  std::vector<std::int64_t> pair_counts(references * pair_columns.size() * 3, -1);
  // Count twice, because the data of the sample before must not change the counts.
  bleu_rouge::Counter rouge(make_source(), bounds, columns, counts, weighted, poll);
  bleu_rouge::Counter sentence_pairs(make_source(), bounds, pair_columns, pair_counts, {}, poll);
  bleu_rouge::Counter bleu(make_source(), bounds, clipped_columns, clipped_counts, {}, poll);
  for (int times = 0; times < 2; ++times) {
    rouge.count(0);
    sentence_pairs.count(0);
    bleu.count(0);
  }
  if (!pool_checks::agree(all, tokenization, columns, counts, weighted, pair_columns, pair_counts)) {
    fail("pairs of a pool");
  }

  std::vector<std::u32string> decoded(texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (!decode(texts[i], decoded[i])) return 0;
  }
  TokenLists tokens;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    tokens.push_back(tokenize(decoded[i], tokenization));
    if (oracle::find_tokens(texts[i], tokenization) != tokens.back()) fail("tokens");
    compare_transcoded(decoded[i], texts[i]);
  }
  const TokenLists prediction_lines = tokenize_lines(decoded[0], tokenization);
  std::size_t at = 0;
  const auto compare = [&](std::int64_t hits, std::int64_t prediction, std::int64_t reference) {
    if (counts[at] != hits) fail("hits");
    if (counts[at + 1] != prediction || counts[at + 2] != reference) fail("totals");
    at += 3;
  };
  std::vector<std::map<Tokens, std::int64_t>> limits(max_order);
  for (std::size_t i = 1; i < texts.size(); ++i) {
    for (std::size_t order = 1; order <= max_order; ++order) {
      std::int64_t hits = 0;
      const auto reference = count_ngrams(tokens[i], order);
      for (const auto& [ngram, count] : count_ngrams(tokens[0], order)) {
        const auto found = reference.find(ngram);
        if (found == reference.end()) continue;
        const std::int64_t taken = std::min(count, found->second);
        hits += taken;
        limits[order - 1][ngram] = std::max(limits[order - 1][ngram], taken);
      }
      compare(hits, total(tokens[0], order), total(tokens[i], order));
    }
    compare(make_lcs_table(tokens[i], tokens[0]).back().back(), total(tokens[0], 1),
            total(tokens[i], 1));
    const TokenLists lines = tokenize_lines(decoded[i], tokenization);
    compare(count_union_lcs(lines, prediction_lines, !lin2004), count_tokens(prediction_lines),
            count_tokens(lines));
    for (const std::size_t distance : columns.skip_distances) {
      const Pairs prediction = list_skip_bigrams(tokens[0], distance);
      const Pairs reference = list_skip_bigrams(tokens[i], distance);
      compare(count_overlap(prediction, reference), sum_up(prediction), sum_up(reference));
    }
    const auto unigrams = count_ngrams(without_last(tokens[0]), 1);
    const auto reference_unigrams = count_ngrams(without_last(tokens[i]), 1);
    compare(count_overlap(unigrams, reference_unigrams), sum_up(unigrams), sum_up(reference_unigrams));
    compare_pairs(&pair_counts[(i - 1) * pair_columns.size() * 3], pair_columns, tokens[0], tokens[i],
                  prediction_lines, lines);
    compare_weighted(&weighted[(i - 1) * 3], lin2004 ? TokenLists{tokens[0]} : prediction_lines,
                     lin2004 ? TokenLists{tokens[i]} : lines, values, lin2004);
  }
  for (std::size_t order = 1; order <= max_order; ++order) {
    std::int64_t clipped = 0;
    for (const auto& [ngram, count] : limits[order - 1]) clipped += count;
    for (std::size_t i = 0; i < references; ++i) {
      const std::int64_t* const found = &clipped_counts[(i * max_order + order - 1) * 3];
      if (found[0] != (i == 0 ? clipped : 0)) fail("matches");
      if (found[1] != total(tokens[0], order)) fail("length");
      if (found[2] != total(tokens[i + 1], order)) fail("length");
    }
  }
  return 0;
}
