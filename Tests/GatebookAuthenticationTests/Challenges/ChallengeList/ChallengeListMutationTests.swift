internal import GatebookAuthentication
internal import Testing

@Suite struct ChallengeListMutationTests {
  private static let samples = [
    "Basic realm=\"a b\", charset=\"UTF-8\"", "Negotiate YII==, Basic , realm=x",
    "Newauth realm=\"apps\", type=1, title=\"Login to \\\"apps\\\"\", Basic realm=\"simple\"",
    "Digest realm=\"r\",\r\n nonce=\"n\", stale=true, qop = \"auth,auth-int\"",
  ]

  @Test(arguments: Mutations.seeds)
  func `a damaged field leaves whole challenges only`(_ seed: UInt64) {
    for bytes in Mutations(of: Self.samples, marks: ",=\"\\ \t", seed: seed) {
      let text = String(decoding: bytes, as: UTF8.self)
      for challenge in ChallengeList.parse([text, text]) {
        let names = challenge.parameters.map(\.name)
        #expect(!challenge.scheme.isEmpty && Set(names).count == names.count, "\(text)")
        #expect(challenge.token68 == nil || names.isEmpty, "\(text)")
        #expect(written(challenge).map { ChallengeList.parse([$0]) } == [challenge], "\(text)")
      }
    }
  }

  /// The challenge as a header line again; without blanks around what does not need them.
  private func written(_ challenge: AuthenticationChallenge) -> String? {
    let parameters = challenge.parameters.map { parameter in
      let escaped = parameter.value.unicodeScalars
        .map { "\"\\".unicodeScalars.contains($0) ? "\\\($0)" : "\($0)" }.joined()
      return "\(parameter.name)=\"\(escaped)\""
    }
    return "\(challenge.scheme) \(challenge.token68 ?? parameters.joined(separator: ","))"
  }
}
