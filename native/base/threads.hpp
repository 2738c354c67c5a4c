// Share samples among threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <utility>

#include "base/poll.hpp"
#include "base/pool.hpp"

namespace bleu_rouge {

/// Threads that help a call; it waits for them when it goes out of scope.
class Helpers {
 public:
  /// Lets up to `count` threads call `work()`, which must not raise.
  Helpers(std::size_t count, std::function<void()> work) : job_{std::move(work), count} {
    pool_.open(job_);
  }
  Helpers(const Helpers&) = delete;
  Helpers& operator=(const Helpers&) = delete;
  ~Helpers() {
    while (!pool_.is_of_parent() && !pool_.close(job_, Poll::kPatience)) continue;
  }

  /// Waits until all threads that help have ended; raises what `poll` raises.
  ///
  /// Raises: std::runtime_error, in a child that a signal handler forked during the call.
  void wait(Poll& poll) {
    for (;;) {
      if (pool_.is_of_parent()) {
        throw std::runtime_error(
            "this process was forked while it counted, without the threads that helped it; count "
            "again.");
      }
      if (pool_.close(job_, Poll::kPatience)) return;
      poll.ask();
    }
  }

 private:
  Pool& pool_ = Pool::get();
  Pool::Job job_;
};

// In bytes. A thread that helps has at least so much text to count, which takes far longer than to
// wake it and to give it memory. Less text is not shared: ``time_threads`` of bench/scale.py.
inline constexpr std::size_t kLeastPerThread = 1 << 16;

/// Calls `worker.count(index)` for each index below `count`, on at most `threads` threads; each
/// thread makes its own worker with `make_worker(poll)`.
///
/// The calling thread asks `is_signalled`, as in Poll.
///
/// Raises: the first error of a worker; Stopped, if a signal ended the work.
template <class MakeWorker>
void share(std::size_t count, std::size_t threads, bool (*is_signalled)(),
           const MakeWorker& make_worker) {
  constexpr std::size_t kMostAtOnce = 64;
  threads = std::clamp<std::size_t>(threads, 1, std::max<std::size_t>(count, 1));
  const std::size_t at_once = std::clamp<std::size_t>(count / (threads * 8), 1, kMostAtOnce);

  std::atomic<std::size_t> next{0};
  std::atomic<bool> stop{false};
  std::mutex mutex;
  std::exception_ptr error;
  const auto guard = [&](const auto& work) {
    try {
      work();
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!error) error = std::current_exception();
      stop = true;
    }
  };
  const auto take_samples = [&](Poll& poll) {
    // A thread may come too late.
    if (next.load() >= count) return;
    auto worker = make_worker(poll);
    for (;;) {
      const std::size_t first = next.fetch_add(at_once);
      if (first >= count) return;
      for (std::size_t i = first; i < std::min(first + at_once, count); ++i) worker.count(i);
      // Count a step per sample, because samples of empty texts take no steps.
      poll.did(at_once);
    }
  };
  const auto help = [&] {
    guard([&] {
      Poll poll(stop);
      take_samples(poll);
    });
  };
  std::optional<Helpers> helpers;
  if (threads > 1) helpers.emplace(threads - 1, help);
  guard([&] {
    Poll poll(stop, is_signalled);
    take_samples(poll);
    if (helpers) helpers->wait(poll);
  });
  helpers.reset();
  if (error) std::rethrow_exception(error);
}

}  // namespace bleu_rouge
