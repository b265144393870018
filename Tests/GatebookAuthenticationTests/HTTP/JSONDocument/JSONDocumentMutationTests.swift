internal import GatebookAuthentication
internal import GatebookEvents
internal import Testing

@Suite struct JSONDocumentMutationTests {
  private static let samples = [
    "{\"a\":[1,-2.5e3,true,null],\"b\":{\"c\":\"\\uD83D\\uDD11\\n\"}}", "[[],{},\"\u{1F511}\",0]",
    "\u{FEFF}{\"error\":\"invalid_grant\",\"expires_in\":600}", "\"\\u00e4\\\\\\/\"", "-0.1E-9",
  ]

  @Test(arguments: Mutations.seeds)
  func `a damaged document is refused or survives being written`(_ seed: UInt64) {
    for bytes in Mutations(of: Self.samples, marks: "{}[],:\"\\u0123456789eE+-.", seed: seed) {
      guard let value = JSONDocument.read(bytes) else { continue }
      let facts: Facts = ["value": value]
      #expect(JSONDocument.read(facts.encoded) == .object(facts), "\(bytes)")
    }
  }
}
