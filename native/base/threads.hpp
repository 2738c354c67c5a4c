// Share samples among threads, which are kept from call to call. The process has one set of
// them, for all interpreters and all threads of Python in it.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#ifndef _WIN32
#include <pthread.h>

#include <csignal>
#endif

#include "base/poll.hpp"

namespace bleu_rouge {

/// While it lives, threads that start have all signals blocked. A worker thread must not
/// receive a signal that the program blocks in its own threads, to wait for it with `sigwait`.
class BlockedSignals {
#ifndef _WIN32
 public:
  BlockedSignals() {
    sigset_t blocked;
    sigfillset(&blocked);
    // Python's faulthandler prints these.
    for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) sigdelset(&blocked, fault);
    pthread_sigmask(SIG_SETMASK, &blocked, &before_);
  }
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;
  ~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_;
#endif
};

/// Threads that are kept from call to call. A call that shares its work counts in its own thread,
/// and worker threads join it. So it ends even if no other thread helps: because all help other
/// calls, or because the system starts none.
class WorkerThreads {
 public:
  /// Work of one call.
  struct Job {
    std::function<void()> work;  // each thread that helps calls it once; it must not raise
    std::size_t wanted;          // so many threads may help
    std::size_t begun = 0;       // so many have begun to help
    std::size_t helping = 0;     // so many of them have not ended
    std::condition_variable ended{};
  };

  /// Those of this process.
  static WorkerThreads& get() {
    WorkerThreads* workers = of_process_.load();
    if (workers == nullptr) {
      // It is never destroyed: its threads wait in it until the process has ended, and a thread
      // that is still counting then may use it.
      auto made = std::make_unique<WorkerThreads>();
      if (of_process_.compare_exchange_strong(workers, made.get())) workers = made.release();
    }
    return *workers;
  }

  /// Whether a fork has made these the threads of the parent. Nothing may be asked of them then:
  /// they are not in this process, and their lock may be taken.
  bool is_of_parent() const { return of_process_.load() != this; }

  /// Lets threads help from now on.
  void open(Job& job) {
    const std::lock_guard lock(mutex_);
    jobs_.push_back(&job);
    call_thread(job);
  }

  /// Lets no more threads begin to help; returns whether those that did have ended, within a time.
  bool close(Job& job, std::chrono::milliseconds patience) {
    std::unique_lock lock(mutex_);
    std::erase(jobs_, &job);
    return job.ended.wait_for(lock, patience, [&job] { return job.helping == 0; });
  }

 private:
  /// What each thread does.
  void help() {
    std::unique_lock lock(mutex_);
    for (;;) {
      wake_.wait(lock, [this] { return is_ending_ || !jobs_.empty(); });
      if (is_ending_) return;
      Job& job = *jobs_.front();
      ++busy_;
      ++job.helping;
      if (++job.begun == job.wanted) {
        jobs_.erase(jobs_.begin());
      } else {
        // Each thread calls two more: many are soon there for much work, and for little work it
        // ends before all are called.
        call_thread(job);
        call_thread(job);
      }
      lock.unlock();
      job.work();
      lock.lock();
      --busy_;
      if (--job.helping == 0) job.ended.notify_one();
    }
  }

  /// Wakes a thread, or starts one if all are busy. There are as many as one job wants at most, so
  /// jobs at the same time divide them.
  void call_thread(const Job& job) {
    if (busy_ < threads_.size()) {
      wake_.notify_one();
    } else if (threads_.size() < job.wanted && !is_ending_) {
      [[maybe_unused]] const BlockedSignals blocked;
      try {
        threads_.emplace_back(&WorkerThreads::help, this);
      } catch (const std::exception&) {
        // The system refuses another thread; those that there are share the work.
      }
    }
  }

  /// Ends the threads if none is busy; the next call starts others.
  void end_idle_threads() {
    std::vector<std::thread> ending;
    {
      const std::lock_guard lock(mutex_);
      // None are left while another fork ends them.
      if (threads_.empty() || busy_ > 0) return;
      is_ending_ = true;
      ending.swap(threads_);
    }
    wake_.notify_all();
    for (std::thread& thread : ending) thread.join();
    const std::lock_guard lock(mutex_);
    is_ending_ = false;
  }

#ifndef _WIN32
  // A fork copies only the thread that calls it. Before it, idle threads end, so that Python finds
  // one thread and has no reason to warn. While another thread of Python counts, its helpers go on;
  // the child then starts with new threads, and what it inherits of the other stays as it is.
  static void before_fork() {
    if (WorkerThreads* workers = of_process_.load()) workers->end_idle_threads();
  }
  static void after_fork_in_child() { of_process_ = nullptr; }
  static inline const int kForkHandlers =
      pthread_atfork(&before_fork, nullptr, &after_fork_in_child);
#endif
  static inline std::atomic<WorkerThreads*> of_process_{nullptr};

  std::mutex mutex_;  // of all below, and of every job
  std::condition_variable wake_;
  std::vector<Job*> jobs_;  // those that more threads may help
  std::vector<std::thread> threads_;
  std::size_t busy_ = 0;
  bool is_ending_ = false;
};

/// Threads that help a call; it waits for them when it goes out of scope.
class Helpers {
 public:
  /// Lets up to `count` threads call `work()`, which must not raise.
  Helpers(std::size_t count, std::function<void()> work) : job_{std::move(work), count} {
    workers_.open(job_);
  }
  Helpers(const Helpers&) = delete;
  Helpers& operator=(const Helpers&) = delete;
  ~Helpers() {
    while (!workers_.is_of_parent() && !workers_.close(job_, Poll::kPatience)) continue;
  }

  /// Waits until all threads that help have ended; raises what `poll` raises.
  ///
  /// Raises: std::runtime_error, in a child that a signal handler forked during the call.
  void wait(Poll& poll) {
    for (;;) {
      if (workers_.is_of_parent()) {
        throw std::runtime_error(
            "this process was forked while it counted, without the threads that helped it; count "
            "again.");
      }
      if (workers_.close(job_, Poll::kPatience)) return;
      poll.ask();
    }
  }

 private:
  WorkerThreads& workers_ = WorkerThreads::get();
  WorkerThreads::Job job_;
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
