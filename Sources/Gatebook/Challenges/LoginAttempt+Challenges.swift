extension LoginAttempt {
  /// The events of challenges; realms are personal, so the book's own stream drops them.
  func events(
    for challenges: [AuthenticatorRun.Challenge], account: AccountID?
  ) -> [ProposedEvent] {
    var attempt = self
    attempt.account = account
    return challenges.flatMap { challenge in
      let asked = AskedChallenge(scheme: challenge.scheme, round: challenge.round)
      let received = attempt.event(
        ChallengeReceived(asked),
        personal: challenge.realm.map {
          ChallengeReceived.Personal(realm: $0.cut(to: 256)).facts
        })
      let answered = attempt.event(ChallengeAnswered(asked))
      return (challenge.isRecorded ? [] : [received]) + (challenge.isAnswered ? [answered] : [])
    }
  }
}
