internal import GatebookAuthentication
internal import GatebookEvents
internal import Testing

struct JSONWebKeySetTests {
  private let fixture: TokenFixture

  init() throws {
    fixture = try TokenFixture()
  }

  private func document(_ keys: [FactValue]) -> [UInt8] {
    (["keys": .list(keys)] as Facts).encoded
  }

  @Test
  func `keys that are not understood are skipped`() throws {
    let rsa = FactValue.object(try fixture.members("rsa"))
    let set = try JSONWebKeySet(
      document: document([.object(["kty": "oct", "k": "AQAB"]), 1, .null, .object([:]), rsa]))
    #expect(set.keys == [try fixture.key("rsa")])
    #expect(try JSONWebKeySet(document: document([])).keys.isEmpty)
  }

  @Test(arguments: [
    "", "[]", "{}", #"{"keys":{}}"#, #"{"keys":null}"#, "<html>", #"{"keys":[],"keys":[]}"#,
  ])
  func `anything else is no set`(_ text: String) {
    #expect(throws: GatebookError(.contentUnexpected, "", remedy: "")) {
      try JSONWebKeySet(document: Array(text.utf8))
    }
  }

  @Test
  func `more than 100 keys or 512 KiB are refused`() throws {
    #expect(
      try JSONWebKeySet(document: document([FactValue](repeating: 1, count: 100))).keys.isEmpty)
    #expect(throws: GatebookError(.limitExceeded, "", remedy: "")) {
      try JSONWebKeySet(document: document([FactValue](repeating: 1, count: 101)))
    }
    let empty = document([])
    let full = empty + [UInt8](repeating: 0x20, count: (512 << 10) - empty.count)
    #expect(try JSONWebKeySet(document: full).keys.isEmpty)
    #expect(throws: GatebookError(.limitExceeded, "", remedy: "")) {
      try JSONWebKeySet(document: full + [0x20])
    }
  }

  /// The keys of a set, `kid` and algorithm of a header, and the key or the refusal.
  private static let choices:
    [([(String, Facts)], String?, SignatureAlgorithm, Result<String, JSONWebTokenRefusal>)] = [
      ([("rsa", [:]), ("other", [:])], "other", .rs256, .success("other")),
      ([("rsa", [:]), ("p256", [:])], nil, .rs256, .success("rsa")),
      ([("rsa", [:]), ("p256", [:]), ("p384", [:])], nil, .es384, .success("p384")),
      ([("rsa", [:]), ("other", ["use": "enc"])], nil, .rs256, .success("rsa")),
      ([("rsa", [:]), ("weak", [:])], nil, .rs256, .success("rsa")),
      ([("rsa", [:]), ("other", [:])], nil, .rs256, .failure(.unknownKey)),
      ([("rsa", [:]), ("rsa", [:])], "rsa", .rs256, .success("rsa")),
      ([("rsa", [:]), ("rsa", ["use": "sig"])], "rsa", .rs256, .success("rsa")),
      ([("rsa", [:]), ("rsa", [:])], nil, .rs256, .success("rsa")),
      ([("p256", [:]), ("p256", ["kid": "twin"])], nil, .es256, .success("p256")),
      ([("rsa", [:]), ("rsa", [:]), ("other", [:])], nil, .rs256, .failure(.unknownKey)),
      ([("weak", [:]), ("weak", [:])], "weak", .rs256, .failure(.weakKey)),
      ([("rsa", [:]), ("other", ["kid": "rsa"])], "rsa", .rs256, .failure(.unknownKey)),
      ([("rsa", [:]), ("p256", ["kid": "rsa"])], "rsa", .es256, .success("rsa")),
      ([("rsa", [:])], "stranger", .rs256, .failure(.unknownKey)),
      ([("rsa", [:])], "RSA", .rs256, .failure(.unknownKey)),
      ([("rsa", ["kid": .null])], "rsa", .rs256, .failure(.unknownKey)),
      ([("rsa", ["kid": "\u{E9}"])], "e\u{301}", .rs256, .failure(.unknownKey)),
      ([], nil, .rs256, .failure(.unknownKey)),
      ([("p256", [:])], nil, .rs256, .failure(.unknownKey)),
      ([("rsa", ["use": "enc"])], "rsa", .rs256, .failure(.keyUnfit)),
      ([("rsa", ["key_ops": .list(["wrapKey"])])], "rsa", .rs256, .failure(.keyUnfit)),
      ([("rsa", ["alg": "PS256"])], "rsa", .rs256, .failure(.keyUnfit)),
      ([("p384", [:])], "p384", .es256, .failure(.keyUnfit)),
      ([("weak", [:])], "weak", .rs256, .failure(.weakKey)),
      ([("weak", [:])], nil, .rs256, .failure(.weakKey)),
    ]

  @Test(arguments: choices.indices)
  func `the key of a token is the one that its header names, or the only one that fits`(
    _ index: Int
  ) throws {
    let (names, id, algorithm, expected) = Self.choices[index]
    let set = JSONWebKeySet(try names.map { try fixture.key($0, $1) })
    let found = Result { () throws(JSONWebTokenRefusal) in
      try set.key(id, for: algorithm).id ?? ""
    }
    #expect(found == expected)
  }

  @Test(arguments: Mutations.seeds)
  func `damaged documents never trap`(_ seed: UInt64) throws {
    let samples = try ["rsa", "p256", "ed"].map { name in
      String(
        decoding: document([.object(try fixture.members(name, ["key_ops": .list(["verify"])]))]),
        as: UTF8.self)
    }
    for bytes in Mutations(of: samples, marks: "{}[]:,\"AQ-_=", seed: seed) {
      guard let set = try? JSONWebKeySet(document: bytes) else { continue }
      for key in set.keys { #expect(!key.verify([0], of: bytes, by: .rs256)) }
    }
  }
}
