import Gatebook
import GatebookTestSupport
import Testing

@Suite struct KeptTrustTests {
  @Test func `who takes the last key back leaves no entry in the vault`() async throws {
    let world = try TestBook()
    let book = try await world.open(BasicServer().transport)
    func entry(of account: AccountID) throws -> [UInt8]? {
      try BookReader.open(at: world.path, key: KeyFile(path: world.keyPath))
        .secret(of: account, purpose: "trust")
    }
    let keys = try [
      "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", "\(String(repeating: "A", count: 43))=",
    ]
    .map { text in try KeyHash("sha256/\(text)") }
    var options = LoginOptions()
    options.trust.pins = keys
    let ada = try await book.logIn(.basic(), options: options)
    #expect(try await book.revokeTrust(of: ada.account, key: keys[0]).pins == [keys[1]])
    #expect(try entry(of: ada.account) != nil)
    #expect(try await book.revokeTrust(of: ada.account) == .system)
    #expect(try entry(of: ada.account) == nil)
    #expect(try await book.trust(of: ada.account) == .system)
  }
}
