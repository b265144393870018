import Gatebook
import GatebookCurl
import GatebookTestSupport
import Glibc
import Testing

@Suite struct AppFolderTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func appFolder(_ app: String = "mail") throws -> AppFolder {
    try AppFolder(of: app) { ["XDG_DATA_HOME": folder.file("data")][$0] }
  }

  private func mode(_ path: String) throws -> mode_t {
    var status = stat()
    try #require(stat(path, &status) == 0, "\(path)")
    return status.st_mode & 0o777
  }

  @Test(arguments: [
    (["XDG_DATA_HOME": "/data", "HOME": "/home/ada"], "/data/mail"),
    (["HOME": "/home/ada"], "/home/ada/.local/share/mail"),
    (["XDG_DATA_HOME": "", "HOME": "/home/ada"], "/home/ada/.local/share/mail"),
    // "it should consider the path invalid and ignore it"
    (["XDG_DATA_HOME": "data", "HOME": "/home/ada"], "/home/ada/.local/share/mail"),
  ])
  func `the folder is where the specification says`(
    _ environment: [String: String], _ path: String
  ) throws {
    #expect(try AppFolder(of: "mail") { environment[$0] }.path == path)
  }

  @Test(arguments: [[:], ["HOME": ""], ["XDG_DATA_HOME": "a", "HOME": "b"]])
  func `without an absolute path there is no folder`(_ environment: [String: String]) {
    let error = #expect(throws: GatebookError.self) {
      try AppFolder(of: "mail") { environment[$0] }
    }
    #expect(error?.code == .configurationInvalid)
    #expect(error?.message.contains("XDG_DATA_HOME") == true)
  }

  @Test(arguments: [
    "", ".", "..", ".mail", "a/b", "a\u{0}b", "a\nb", String(repeating: "a", count: 65),
  ])
  func `a name that is no folder's is refused`(_ app: String) {
    let error = #expect(throws: GatebookError.self) { try appFolder(app) }
    #expect(error?.code == .configurationInvalid)
  }

  @Test func `the folder and those above it are their owner's alone`() throws {
    let mail = try appFolder()
    try mail.make()
    #expect(try mode(mail.path) == 0o700)
    #expect(try mode(folder.file("data")) == 0o700)
    // Once more, and a folder that is there stays as it is.
    chmod(mail.path, 0o750)
    try mail.make()
    #expect(try mode(mail.path) == 0o750)
  }

  @Test func `a file in its place is an error that names it`() throws {
    let mail = try appFolder()
    try #require(mkdir(folder.file("data"), 0o700) == 0)
    close(Glibc.open(mail.path, O_WRONLY | O_CREAT, 0o600))
    let error = #expect(throws: GatebookError.self) { try mail.make() }
    #expect(error?.code == .storageReadOnly)
    #expect(error?.message.contains(mail.path) == true)
  }

  @Test func `the installation is made once, and processes that start together agree`()
    async throws
  {
    let mail = try appFolder()
    try mail.make()
    let ids = try await withThrowingTaskGroup(of: InstallationID.self) { group in
      for _ in 1...8 { group.addTask { try mail.installation(random: SystemRandom()) } }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(ids.count == 1)
    #expect(try ids == [mail.installation(random: SystemRandom())])
    #expect(TemporaryFolder.names(in: mail.path) == ["installation"])
    #expect(try mode("\(mail.path)/installation") == 0o600)
  }

  @Test func `a file that holds something else is neither used nor replaced`() throws {
    let mail = try appFolder()
    try mail.make()
    let path = "\(mail.path)/installation"
    let descriptor = Glibc.open(path, O_WRONLY | O_CREAT, 0o600)
    write(descriptor, "mail", 4)
    close(descriptor)
    let error = #expect(throws: GatebookError.self) {
      try mail.installation(random: SystemRandom())
    }
    #expect(error?.code == .storageDamaged)
    #expect(try FileBytes.read(path) == Array("mail".utf8))
  }

  @Test func `an app's book is opened by the app's name alone, again and again`() async throws {
    let mail = try appFolder()
    var installations: Set<InstallationID> = []
    for run in 1...2 {
      let book = try await opened(mail)
      let made = try #require(try await book.events(matching: EventFilter()).first)
      #expect(made.writer.program.name == "mail")
      #expect(made.writer.program.version == "2.1")
      installations.insert(made.writer.program.installation)
      #expect(try await book.accounts().isEmpty, "run \(run)")
      await book.close()
    }
    #expect(try installations == [mail.installation(random: SystemRandom())])
    #expect(try mode(mail.path) == 0o700)
    #expect(try mode(mail.key) == 0o600)
    #expect(TemporaryFolder.names(in: mail.path).contains("sessions.gatebook"))
  }

  @Test func `a key source that is given is used instead of the file`() async throws {
    let mail = try appFolder()
    let book = try await opened(mail, key: MemoryKeySource())
    await book.close()
    #expect(!TemporaryFolder.names(in: mail.path).contains("sessions.key"))
  }

  private func opened(
    _ folder: AppFolder, key: (any KeySource)? = nil
  ) async throws(GatebookError) -> SessionBook {
    try await SessionBook.open(
      app: "mail", in: folder, version: "2.1", key: key, transport: ScriptedTransport(),
      suffixes: nil, clock: FixedClock(), random: SystemRandom(), wait: .seconds(10),
      renewalPolicy: .beforeUse, network: nil)
  }
}
