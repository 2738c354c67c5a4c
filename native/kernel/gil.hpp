// Python's lock, the GIL: released while the kernel counts, and taken to run handlers of signals.
#pragma once

#include <Python.h>

#include <chrono>
#include <thread>

namespace bleu_rouge {

/// Calls a function of Python that takes the GIL.
///
/// A daemon thread never gets the GIL of an interpreter that is ending. Before 3.14, Python ends the
/// thread there (pthread_exit), and the unwinding of its stack ends the process with an error at
/// the first function that is noexcept. So the thread waits for the end, as in Python 3.14.
template <class Take>
auto take_gil(const Take& take) {
  try {
    return take();
  } catch (...) {
    for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
  }
}

/// Releases the GIL until it goes out of scope.
class ReleasedGil {
 public:
  ReleasedGil() = default;
  ReleasedGil(const ReleasedGil&) = delete;
  ReleasedGil& operator=(const ReleasedGil&) = delete;
  ~ReleasedGil() {
    take_gil([this] { PyEval_RestoreThread(thread_); });
  }

 private:
  PyThreadState* thread_ = PyEval_SaveThread();
};

/// Takes the GIL until it goes out of scope, in any thread.
class TakenGil {
 public:
  TakenGil() = default;
  TakenGil(const TakenGil&) = delete;
  TakenGil& operator=(const TakenGil&) = delete;
  ~TakenGil() { PyGILState_Release(state_); }

 private:
  PyGILState_STATE state_ = take_gil([] { return PyGILState_Ensure(); });
};

/// Whether a signal handler raised an error. Handlers run only in Python's main thread.
inline bool is_signalled() {
#if PY_VERSION_HEX >= 0x030D0000
  const bool is_ending = Py_IsFinalizing() != 0;
#else
  const bool is_ending = _Py_IsFinalizing() != 0;
#endif
  // The threads that help this one use its stack, so it counts on.
  if (is_ending) return false;
  const TakenGil taken;
  return PyErr_CheckSignals() != 0;
}

}  // namespace bleu_rouge
