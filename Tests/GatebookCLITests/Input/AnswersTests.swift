internal import Gatebook
internal import Glibc
internal import Testing

@testable internal import GatebookCLI

struct AnswersTests {
  /// A pipe that holds the bytes and then ends.
  private func input(_ bytes: [UInt8]) -> Int32 {
    var ends: [Int32] = [0, 0]
    pipe(&ends)
    write(ends[1], bytes, bytes.count)
    close(ends[1])
    return ends[0]
  }

  @Test func `one answer a line, in the order asked, and the rest stays`() throws {
    let descriptor = input(Array("ada\r\npäss wörd\nlast".utf8))
    defer { close(descriptor) }
    let answers = Answers(.standardInput(descriptor))
    #expect(try answers.text("User") == "ada")
    #expect(try answers.secret("Password") == Secret("päss wörd"))
    var byte: UInt8 = 0
    #expect(read(descriptor, &byte, 1) == 1)
    #expect(byte == UInt8(ascii: "l"))
    #expect(try answers.secret("Password") == Secret("ast"))
  }

  @Test(
    arguments: [
      ([], "ended before"), (Array("\n".utf8), "empty"), ([0x61, 0, 0x62, 10], "NUL"),
      ([0xFF, 10], "not UTF-8"), ([UInt8](repeating: 0x61, count: 70_000), "longer than"),
    ] as [([UInt8], String)])
  func `what cannot be an answer is refused and not repeated`(
    _ bytes: [UInt8], _ reason: String
  ) throws {
    // More than a pipe holds would block this thread: a file takes any number.
    let descriptor = memfd(bytes)
    defer { close(descriptor) }
    let answers = Answers(.standardInput(descriptor))
    let error = try #require(throws: GatebookError.self) { try answers.secret("Password") }
    #expect(error.code == .challengeUnhandled)
    #expect(error.message.contains(reason))
    #expect(!error.description.contains("aaa"))
  }

  private func memfd(_ bytes: [UInt8]) -> Int32 {
    guard let file = tmpfile() else { return -1 }
    let descriptor = dup(fileno(file))
    fclose(file)
    write(descriptor, bytes, bytes.count)
    lseek(descriptor, 0, SEEK_SET)
    return descriptor
  }

  @Test func `a waiting question ends when the run is cancelled`() throws {
    var ends: [Int32] = [0, 0]
    pipe(&ends)
    defer { for end in ends { close(end) } }
    let interruption = input([1])
    defer { close(interruption) }
    #expect(throws: InputLine.Failure.cancelled) {
      try InputLine.read(from: ends[0], interruption: interruption)
    }
  }
}
