internal import Gatebook
internal import GatebookSystem
internal import Glibc
internal import Testing

@testable internal import GatebookCLI

final class TextFileTests {
  private let folder: TemporaryFolder
  private let bytes = Array("new\n".utf8)

  init() throws {
    folder = try TemporaryFolder(named: "gatebook-test")
  }

  deinit {
    folder.remove()
  }

  private func path(_ name: String) -> String { "\(folder.path)/\(name)" }

  private func kind(_ path: String) throws -> mode_t {
    var status = stat()
    try #require(lstat(path, &status) == 0)
    return status.st_mode & S_IFMT
  }

  @Test func `a regular file is replaced and nothing is left beside it`() throws {
    for text in ["a much longer text than the next\n", "new\n"] {
      try TextFile.write(Array(text.utf8), to: path("note"))
      #expect(try TextFile.read(path("note"), what: "note") == text)
    }
    #expect(Files.names(in: folder.path) == ["note"])
  }

  @Test(arguments: [(ENOSPC, true), (EDQUOT, true), (EACCES, false), (ENOENT, false)])
  func `to free space is advised where there is none`(_ number: Int32, _ isFull: Bool) {
    let error = TextFile.unwritable(SystemError(number))
    #expect(error.remedy.contains("free space") == isFull)
    #expect(error.remedy.contains("another place"))
  }

  @Test func `a pipe is written into and stays a pipe`() throws {
    try #require(mkfifo(path("pipe"), 0o600) == 0)
    // Open before the writer, so that neither waits for the other.
    let reader = open(path("pipe"), O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    try #require(reader >= 0)
    defer { close(reader) }
    try TextFile.write(bytes, to: path("pipe"))
    var received = [UInt8](repeating: 0, count: 16)
    #expect(read(reader, &received, received.count) == bytes.count)
    #expect(received.starts(with: bytes))
    #expect(try kind(path("pipe")) == S_IFIFO)
    #expect(Files.names(in: folder.path) == ["pipe"])
  }

  @Test(arguments: [true, false])
  func `a link stays, and what it names is written`(_ isThere: Bool) throws {
    if isThere { try TextFile.write(Array("old and longer\n".utf8), to: path("note")) }
    try #require(symlink("note", path("link")) == 0)
    try TextFile.write(bytes, to: path("link"))
    #expect(try kind(path("link")) == S_IFLNK)
    #expect(try kind(path("note")) == S_IFREG)
    #expect(try TextFile.bytes(path("note"), what: "note", limit: 64) == bytes)
  }

  @Test func `what cannot be written is an error and stays`() throws {
    try #require(mkdir(path("folder"), 0o700) == 0)
    try #require(symlink("circle", path("circle")) == 0)
    for name in ["folder", "circle", "none/note"] {
      let error = #expect(throws: GatebookError.self) {
        try TextFile.write(bytes, to: path(name))
      }
      #expect(error?.code == .configurationInvalid)
    }
    #expect(Set(Files.names(in: folder.path)) == ["folder", "circle"])
  }
}
