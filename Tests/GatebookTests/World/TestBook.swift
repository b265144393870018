import Gatebook
import GatebookTestSupport
import Glibc
import Testing

/// A book in a folder of its own, removed with the last reference.
final class TestBook: Sendable {
  let folder: String
  let clock = FixedClock()
  var path: String { "\(folder)/test.gatebook" }
  var keyPath: String { "\(folder)/test.key" }

  init() throws {
    var template = Array("/tmp/gatebook-test-XXXXXX".utf8CString)
    let made = template.withUnsafeMutableBufferPointer { buffer in
      buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
    }
    folder = try #require(made)
  }

  deinit {
    for name in [
      "test.gatebook", "test.gatebook-wal", "test.gatebook-shm", "test.gatebook-lock",
      "test.gatebook-reserve",
    ] {
      unlink("\(folder)/\(name)")
    }
    for name in ["authority.pem", "authority.key.pem"] { unlink("\(folder)/\(name)") }
    unlink(keyPath)
    rmdir(folder)
  }

  func open(
    _ transport: any Transport, renewalPolicy: RenewalPolicy = .beforeUse,
    network: (any NetworkMonitor)? = nil, clock: (any BookClock)? = nil,
    wait: Duration = .seconds(10)
  ) async throws(GatebookError) -> SessionBook {
    try await SessionBook.open(
      at: path, key: KeyFile(path: keyPath),
      program: Program(
        name: "tests", version: "1", installation: InstallationID(high: 1, low: 2)),
      transport: transport, clock: clock ?? self.clock, wait: wait, renewalPolicy: renewalPolicy,
      network: network)
  }

  /// A copy of everything as it is on the disk now: what a crash at this moment would leave.
  func crashImage() throws -> TestBook {
    let image = try TestBook()
    let files = [
      (path, image.path), ("\(path)-wal", "\(image.path)-wal"), (keyPath, image.keyPath),
    ]
    for (source, target) in files { try TestFile.read(source).write(to: target) }
    return image
  }

  func kinds() throws(GatebookError) -> [String] {
    try BookReader.open(at: path).events(EventFilter()).map(\.kind)
  }
}

extension LoginMethod {
  /// The private page of `BasicServer`.
  static func basic(
    _ url: String = "http://127.0.0.1:8080/private/", user: String = "ada",
    password: String = "lovelace"
  ) throws -> LoginMethod {
    .http(url: try #require(HTTPURL(url)), user: user, password: Secret(password))
  }
}
