extension HTTPReply {
  /// The ways to authenticate that the server offers, in its order; faulty ones are left out.
  package var challenges: [AuthenticationChallenge] {
    ChallengeList.parse(fields.values(of: "WWW-Authenticate"))
  }
}
