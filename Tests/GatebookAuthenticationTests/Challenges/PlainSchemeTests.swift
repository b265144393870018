internal import GatebookAuthentication
internal import Testing

struct PlainSchemeTests {
  @Test(arguments: [
    ("basic", "basic"), ("mfp-challenge", "mfp-challenge"), ("x!ada", "other"), ("", "other"),
    (String(repeating: "x", count: 65), "other"),
  ])
  func `a scheme is in the clear only if it looks like a code`(
    _ scheme: String, _ plain: String
  ) {
    #expect(AuthenticationChallenge(scheme).plainScheme == plain)
  }
}
