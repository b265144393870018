internal import GatebookEvents
internal import GatebookSystem
internal import Synchronization

/// The one thread on which a store's writer works, first come first served: a long sync to disk
/// never blocks Swift's shared pool.
///
/// While it has nothing to do, a caller may borrow its turn for something short. To wake the thread
/// and to be woken by it would take longer.
final class StoreThread: SerialExecutor {
  // Sendable by hand: every access to the jobs is under `mutex`.
  private final class Queue: @unchecked Sendable {
    private var jobs: [UnownedJob] = []
    private var running = 0
    private var isWorking = false
    // The thread that has borrowed the turn of this one.
    private var borrower: UInt?
    private var isStopped = false
    private var isAsleep = false
    // Whether there are jobs, to be seen without the mutex.
    private let hasJobs = Atomic(false)
    // A caller that appends one event after another is back within some ten microseconds: to look
    // out for it that long costs less than to fall asleep and be woken.
    private static let glances = 100
    private let arrived = Condition()

    func add(_ job: UnownedJob) {
      arrived.lock()
      jobs.append(job)
      hasJobs.store(true, ordering: .releasing)
      let isAsleep = isAsleep
      arrived.unlock()
      if isAsleep { arrived.signal() }
    }

    /// Borrows the turn of the thread if it has nothing to do.
    func borrow() -> Bool {
      arrived.lock()
      defer { arrived.unlock() }
      guard jobs.isEmpty, !isWorking, borrower == nil else { return false }
      borrower = ThisProcess.thread
      return true
    }

    /// Gives the turn back to the thread.
    func giveBack() {
      arrived.lock()
      borrower = nil
      let isAwaited = isAsleep && (!jobs.isEmpty || isStopped)
      arrived.unlock()
      if isAwaited { arrived.signal() }
    }

    /// Whether the thread that asks has borrowed the turn of this one.
    var isBorrowed: Bool {
      arrived.lock()
      defer { arrived.unlock() }
      return borrower == ThisProcess.thread
    }

    /// Whether no job waits after the one that runs now.
    var isIdle: Bool {
      arrived.lock()
      defer { arrived.unlock() }
      return jobs.isEmpty && running == 0
    }

    func stop() {
      arrived.lock()
      isStopped = true
      arrived.signal()
      arrived.unlock()
    }

    func run(on executor: UnownedSerialExecutor) {
      var batch: [UnownedJob] = []
      while take(&batch) {
        for job in batch {
          arrived.lock()
          running -= 1
          arrived.unlock()
          job.runSynchronously(on: executor)
        }
        batch.removeAll(keepingCapacity: true)
      }
    }

    private func take(_ batch: inout [UnownedJob]) -> Bool {
      arrived.lock()
      isWorking = false
      arrived.unlock()
      for _ in 0..<Self.glances where !hasJobs.load(ordering: .acquiring) {
        ThisProcess.yieldThread()
      }
      arrived.lock()
      defer { arrived.unlock() }
      while jobs.isEmpty || borrower != nil {
        if isStopped, borrower == nil { return false }
        isAsleep = true
        arrived.wait()
        isAsleep = false
      }
      swap(&jobs, &batch)
      hasJobs.store(false, ordering: .relaxed)
      running = batch.count
      isWorking = true
      return true
    }
  }

  private let queue = Queue()
  private let process = ThisProcess.id

  /// Begins to work.
  ///
  /// - Throws: `limit.exceeded` when the machine has no thread left; jobs would then wait for ever.
  func start() throws(GatebookError) {
    // Unowned: the thread ends with the executor, and only its jobs use the name.
    let executor = asUnownedSerialExecutor()
    try PosixThread.detach { [queue] in queue.run(on: executor) }
  }

  deinit {
    queue.stop()
  }

  var isIdle: Bool { queue.isIdle }

  /// Runs something short in the turn of the thread if it has nothing to do.
  ///
  /// - Parameter work: Runs on the thread of the caller, alone: what comes meanwhile waits for it.
  /// - Returns: What it brought; `nil` if it was not run.
  func withItsTurn<Value>(_ work: () -> Value) -> Value? {
    // After a fork the mutex may be held by a thread that is not here.
    guard ThisProcess.id == process, queue.borrow() else { return nil }
    defer { queue.giveBack() }
    return work()
  }

  /// Lets the thread use the store's actor that has borrowed the turn.
  func checkIsolated() {
    precondition(queue.isBorrowed, "The store is used outside of its thread.")
  }

  func enqueue(_ job: consuming ExecutorJob) {
    guard ThisProcess.id == process else {
      // Threads do not survive `fork`: here every job ends with `storage.forked`.
      return job.runSynchronously(on: asUnownedSerialExecutor())
    }
    queue.add(UnownedJob(job))
  }
}
