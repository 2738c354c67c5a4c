// Share samples among threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "base/poll.hpp"

namespace bleu_rouge {

/// Joins its threads when it goes out of scope.
class Threads {
 public:
  Threads() = default;
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;
  ~Threads() {
    for (std::thread& thread : threads_) thread.join();
  }

  /// Starts `count` threads, or fewer if the system refuses more. Each calls `work()`, which must
  /// not raise.
  template <class Work>
  void start(std::size_t count, const Work& work) {
    threads_.reserve(count);
    try {
      while (threads_.size() < count) {
        threads_.emplace_back([this, &work] {
          work();
          const std::lock_guard lock(mutex_);
          ++ended_;
          one_ended_.notify_one();
        });
      }
    } catch (const std::system_error&) {
      // The system refuses more threads; the threads that run share the work.
    }
  }

  /// Waits until all threads have ended; raises what `poll` raises.
  void wait(Poll& poll) {
    std::unique_lock lock(mutex_);
    while (!one_ended_.wait_for(lock, Poll::kPatience,
                                [this] { return ended_ == threads_.size(); })) {
      lock.unlock();
      poll.ask();
      lock.lock();
    }
  }

 private:
  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable one_ended_;
  std::size_t ended_ = 0;
};

/// Calls `worker.count(index)` for each index below `count`, on at most `threads` threads; each
/// thread makes its own worker with `make_worker(poll)`. The threads end with the call, so a later
/// fork finds none.
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
    auto worker = make_worker(poll);
    for (;;) {
      const std::size_t first = next.fetch_add(at_once);
      if (first >= count) return;
      for (std::size_t i = first; i < std::min(first + at_once, count); ++i) worker.count(i);
      // Count a step per sample, because samples of empty texts take no steps.
      poll.did(at_once);
    }
  };
  const auto work = [&] {
    guard([&] {
      Poll poll(stop);
      take_samples(poll);
    });
  };
  {
    Threads others;
    others.start(threads - 1, work);
    guard([&] {
      Poll poll(stop, is_signalled);
      take_samples(poll);
      others.wait(poll);
    });
  }
  if (error) std::rethrow_exception(error);
}

}  // namespace bleu_rouge
