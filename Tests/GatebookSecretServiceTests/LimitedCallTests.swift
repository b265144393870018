import GatebookEvents
import Glibc
import Testing

@testable import GatebookSecretService

@Suite struct LimitedCallTests {
  /// Something that does not answer until it is let go.
  private final class Silence: Sendable {
    private let ends: (output: Int32, input: Int32)

    init() throws {
      var ends: [Int32] = [0, 0]
      try #require(pipe(&ends) == 0)
      self.ends = (ends[0], ends[1])
    }

    deinit {
      close(ends.output)
      close(ends.input)
    }

    func wait() {
      var byte: UInt8 = 0
      while read(ends.output, &byte, 1) < 0, errno == EINTR {}
    }

    func end() {
      var byte: UInt8 = 1
      write(ends.input, &byte, 1)
    }
  }

  @Test func `what is answered in time is brought`() throws {
    let ending = try LimitedCall<Int>.run(limit: .seconds(60)) { .success(7) }
    #expect(try ending.get().get() == 7)
    let failed = try LimitedCall<Int>.run(limit: .seconds(60)) { .failure(.keyringLocked()) }
    #expect(throws: GatebookError.keyringLocked()) { try failed.get().get() }
  }

  @Test func `what is late is not waited for`() throws {
    let silence = try Silence()
    let ending = try LimitedCall<Int>.run(limit: .milliseconds(1)) {
      silence.wait()
      return .success(7)
    }
    #expect(throws: LimitedCall<Int>.Abandonment.late) { try ending.get() }
    silence.end()
  }

  @Test func `a task that is cancelled does not wait`() async throws {
    let silence = try Silence()
    let task = Task {
      try LimitedCall<Int>.run(limit: .seconds(60)) {
        silence.wait()
        return .success(7)
      }
    }
    task.cancel()
    let ending = try await task.value
    #expect(throws: LimitedCall<Int>.Abandonment.cancelled) { try ending.get() }
    silence.end()
  }
}
