import GatebookEvents
import Glibc
import Testing

@testable import GatebookStore

@Suite(.enabled(if: !isSanitized, "a sanitizer's runtime cannot do without memory either"))
struct NoThreadTests {
  @Test func `without a thread left the store refuses, and works once there is one`() async {
    await #expect(processExitsWith: .success) {
      let thread = StoreThread()
      try #require(try withoutThreads { try thread.start() } == .limitExceeded)
      try #require(try withoutThreads { try thread.start() } == .limitExceeded)
      try thread.start()
    }
  }

  @Test func `without a thread left nobody waits for a lock, and later it is to be had`() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let holder = try BookLock.open(folder.file("lock"))
      let waiter = try BookLock.open(folder.file("lock"))
      try holder.lockWriter(wait: .seconds(10))
      let refusal = try withoutThreads { try waiter.lockWriter(wait: .seconds(10)) }
      try #require(refusal == .limitExceeded)
      holder.unlockWriter()
      try waiter.lockWriter(wait: .seconds(10))
      waiter.unlockWriter()
      try holder.lockWriter(wait: .seconds(10))
    }
  }
}

/// Whether the Thread or the Address Sanitizer is at work in this process.
private var isSanitized: Bool {
  dlsym(nil, "__tsan_init") != nil || dlsym(nil, "__asan_init") != nil
}

/// Runs code while this process can make no further thread: there is no memory for its stack.
///
/// - Returns: The code of the failure; `nil` for none.
private func withoutThreads(_ body: () throws -> Void) throws -> FailureCode? {
  let memory = __rlimit_resource_t(RLIMIT_AS.rawValue)
  var former = rlimit()
  try #require(getrlimit(memory, &former) == 0)
  var none = rlimit(rlim_cur: 1, rlim_max: former.rlim_max)
  try #require(setrlimit(memory, &none) == 0)
  // Stacks of threads that have ended are used again: these take them.
  var sleeper = pthread_t()
  while pthread_create(
    &sleeper, nil,
    { _ in
      pause()
      return nil
    }, nil) == 0
  {}
  let result = Result { try body() }
  try #require(setrlimit(memory, &former) == 0)
  guard case .failure(let error) = result else { return nil }
  return (error as? GatebookError)?.code
}
