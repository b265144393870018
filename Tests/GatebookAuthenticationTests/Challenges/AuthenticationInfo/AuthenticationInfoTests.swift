internal import GatebookAuthentication
internal import Testing

struct AuthenticationInfoTests {
  @Test(arguments: [
    (["nextnonce=\"n\""], "n" as String?), (["nextnonce=n"], "n"), (["NextNonce = \"n\""], "n"),
    (["rspauth=\"a\"", "nextnonce=\"n\""], "n"), (["qop=auth,nextnonce=\"a, b\""], "a, b"),
    ([" , nextnonce=\"n\" ,, "], "n"), (["nextnonce=\"a\\\"b\""], "a\"b"), ([""], nil), ([], nil),
    (["rspauth=\"a\",\r\n nextnonce=\"n\""], "n"), (["qop=auth"], nil),
  ])
  func `parameters are read with and without quotes`(
    _ values: [String], _ nonce: String?
  ) throws {
    #expect(try #require(AuthenticationInfo(values)).nextNonce == nonce)
  }

  @Test(arguments: [
    ["nextnonce"], ["Digest nextnonce=\"n\""], ["nextnonce=\"n"], ["nextnonce=n m"], ["=n"],
    ["nextnonce=\"n\" x"], ["nextnonce=\"n\", NEXTNONCE=\"n\""], ["nextnonce=a", "nextnonce=b"],
    ["a=b;c=d"], ["nextnonce=\"\u{1}\""], ["x=\"" + String(repeating: "y", count: 16 << 10) + "\""],
  ])
  func `what is no list of parameters is refused as a whole`(_ values: [String]) {
    #expect(AuthenticationInfo(values) == nil)
  }
}
