import Testing

@testable import GatebookFakes

@Suite struct RegisteredKeyTests {
  private static let message = Array("what was signed".utf8)

  @Test func `an RSA key verifies what its owner signed, and nothing else`() throws {
    let key = FakeIdentityKey.server(.rs256, isFirst: true)
    let registered = try #require(RegisteredKey(rsa: key.jwk()))
    let signature = key.signature(of: Self.message, .rs256)
    #expect(registered.verifies(signature, of: Self.message))
    #expect(!registered.verifies(signature, of: Self.message + [0]))
    #expect(!registered.verifies(Array(signature.dropLast()), of: Self.message))
    #expect(registered != RegisteredKey(rsa: FakeIdentityKey.client.jwk()))
    #expect(RegisteredKey(p256: key.jwk()) == nil)
  }

  @Test func `a key on P-256 verifies what its owner signed, and nothing else`() throws {
    let key = FakeIdentityKey.server(.es256, isFirst: true)
    let jwk = key.jwk("one", .es256)
    let registered = try #require(RegisteredKey(p256: jwk))
    let signature = key.signature(of: Self.message, .es256)
    #expect(signature.count == 64)
    #expect(registered.verifies(signature, of: Self.message))
    #expect(!registered.verifies(signature, of: Self.message + [0]))
    #expect(!registered.verifies(Array(signature.dropLast()), of: Self.message))
    #expect(RegisteredKey(rsa: jwk) == nil)
  }

  @Test(arguments: ["n", "e", "kty"])
  func `an RSA key without a part is none`(_ name: String) {
    var jwk = FakeIdentityKey.client.jwk()
    jwk[name] = nil
    #expect(RegisteredKey(rsa: jwk) == nil)
  }

  @Test func `numbers that are no point of the curve are no key`() {
    var jwk = FakeIdentityKey.server(.es256, isFirst: true).jwk("one", .es256)
    jwk["x"] = jwk["y"]
    #expect(RegisteredKey(p256: jwk) == nil)
  }
}
