extension HTTPReply {
  /// The ways to authenticate that the server offers, in its order; faulty ones are left out.
  package var challenges: [AuthenticationChallenge] {
    ChallengeList.parse(fields.values(of: "WWW-Authenticate"))
  }

  /// Whether an answer to a challenge may have to be made over the request's body (`auth-int`, RFC 7616
  /// section 3.4.3).
  package var wantsSignedBody: Bool {
    challenges.contains { DigestChallenge($0)?.quality == .integrity }
  }
}
