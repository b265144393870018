import Gatebook
import Glibc
import Testing

@testable import GatebookFakes

@Suite struct TestCertificateTests {
  /// The beginning of every public key on P-256 (RFC 5480 section 2): algorithm, curve, 65 bytes.
  private let keyHead = "3059301306072a8648ce3d020106082a8648ce3d030107034200"

  @Test func `a pin is the SHA-256 of the public key as the certificate has it`() throws {
    let certificate = try TestCertificate.selfSigned()
    let head = try #require(Hex.decode(keyHead))
    let start = try #require(certificate.der.firstRange(of: head)?.lowerBound)
    let key = Array(certificate.der[start..<start + 91])
    #expect(certificate.pin == "sha256/" + Base64Text.encode(SHA256().hash(key)))
  }

  @Test func `every certificate has a key of its own unless it takes over another's`() throws {
    let authority = TestAuthority()
    let first = try authority.issue()
    let renewed = try authority.issue(keyOf: first)
    let selfMade = try TestCertificate.selfSigned(keyOf: first)
    #expect(Set([first.pin, renewed.pin, selfMade.pin]).count == 1)
    #expect(Set([first.der, renewed.der, selfMade.der]).count == 3)
    let others = try [authority.issue(), .selfSigned(), authority.issueClient("ada")]
    #expect(Set(others.map(\.pin) + [first.pin, authority.certificate.pin]).count == 5)
  }

  @Test(arguments: [
    [], [TestCertificate.Name.address("localhost")], [.host("a,DNS:b")], [.address("127.0.0.256")],
  ])
  func `names that a certificate cannot contain are refused`(
    _ names: [TestCertificate.Name]
  ) throws {
    let error = #expect(throws: GatebookError.self) { try TestCertificate.selfSigned(names) }
    #expect(error?.code == .configurationInvalid)
    #expect(throws: GatebookError.self) { try TestAuthority().issue(names) }
  }

  @Test func `files are PEM, and the key is its owner's alone`() throws {
    var template = Array("/tmp/gatebook-pem-XXXXXX".utf8CString)
    try #require(mkdtemp(&template) != nil)
    let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let certificate = try TestCertificate.selfSigned()
    let files = try certificate.write(to: folder, as: "server")
    defer {
      unlink(files.certificate)
      unlink(files.key)
      rmdir(folder)
    }
    #expect(files.certificate == "\(folder)/server.pem")
    #expect(try content(files.certificate) == certificate.pem)
    #expect(try content(files.key) == certificate.keyPEM)
    var status = stat()
    #expect(stat(files.key, &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600)
    let lines = certificate.pem.split(separator: "\n")
    #expect(lines.first == "-----BEGIN CERTIFICATE-----")
    #expect(lines.last == "-----END CERTIFICATE-----")
    #expect(lines.allSatisfy { $0.utf8.count <= 64 })
    #expect(Base64Text.decode(lines.dropFirst().dropLast().joined()) == certificate.der)
    let error = #expect(throws: GatebookError.self) {
      try certificate.write(to: "\(folder)/nowhere", as: "server")
    }
    #expect(error?.code == .configurationInvalid)
  }

  @Test func `a libssl that is not there is a setting to correct`() {
    let error = #expect(throws: GatebookError.self) {
      try TLSLibrary.open("libssl-that-nobody-has.so")
    }
    #expect(error?.code == .configurationInvalid)
    #expect(error?.cause?.contains("libssl-that-nobody-has.so") == true)
  }

  @Test func `libssl is opened by the first secure server and not before`() async throws {
    await #expect(processExitsWith: .success) {
      let plain = try LoopbackServer { _ in .text("") }
      try plain.start()
      let identity = try TestAuthority().issue()
      try #require(try !isLoaded("libssl"))
      try plain.present(LoopbackTLS(identity))
      try #require(try isLoaded("libssl"))
    }
  }

  private func content(_ path: String) throws -> String {
    let descriptor = open(path, O_RDONLY)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    let count = read(descriptor, &buffer, buffer.count)
    return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
  }
}

/// Whether the process has a library of this name in its memory.
private func isLoaded(_ library: String) throws -> Bool {
  let maps = try #require(fopen("/proc/self/maps", "r"))
  defer { fclose(maps) }
  var line = [CChar](repeating: 0, count: 4096)
  while fgets(&line, CInt(line.count), maps) != nil {
    if strstr(line, library) != nil { return true }
  }
  return false
}
