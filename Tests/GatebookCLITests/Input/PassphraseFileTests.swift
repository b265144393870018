internal import Gatebook
internal import Glibc
internal import Testing

@testable internal import GatebookCLI

struct PassphraseFileTests {
  private func file(_ content: String, mode: mode_t) -> String {
    var template = Array("/tmp/gatebook-passphrase-XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    write(descriptor, content, content.utf8.count)
    fchmod(descriptor, mode)
    close(descriptor)
    return path
  }

  @Test(arguments: [("correct horse\n", "correct horse"), ("a\nb\n", "a"), ("ü", "ü")])
  func `the first line of a private file is the passphrase`(
    _ content: String, _ expected: String
  ) throws {
    let path = file(content, mode: 0o600)
    defer { unlink(path) }
    #expect(try SecretFile.passphrase(path) == Secret(expected))
  }

  @Test(arguments: [0o640, 0o604, 0o644] as [mode_t])
  func `a file that others can read is refused`(_ mode: mode_t) throws {
    let path = file("secret\n", mode: mode)
    defer { unlink(path) }
    let error = try #require(throws: GatebookError.self) { try SecretFile.passphrase(path) }
    #expect(error.code == .keyMissing)
    #expect(error.message.contains("by others"))
  }

  @Test(arguments: ["", "\nsecond", "a\u{0}b"])
  func `a file without a passphrase is refused`(_ content: String) throws {
    let path = file(content, mode: 0o600)
    defer { unlink(path) }
    #expect(throws: GatebookError.self) { try SecretFile.passphrase(path) }
  }

  @Test func `a file that is not there is refused`() {
    #expect(throws: GatebookError.self) { try SecretFile.passphrase("/nowhere/at/all") }
  }

  @Test func `an inherited pipe works`() throws {
    var ends: [Int32] = [0, 0]
    pipe(&ends)
    write(ends[1], "from a pipe\n", 12)
    close(ends[1])
    defer { close(ends[0]) }
    #expect(try SecretFile.passphrase("/dev/fd/\(ends[0])") == Secret("from a pipe"))
  }
}
