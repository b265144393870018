extension AccountState {
  /// The events that the state names by their positions: whoever keeps the state alone keeps them too.
  package var namedEvents: [Position] {
    [added, label, person, attributes, cause, verified, intent?.position, savedUse?.position]
      .compactMap(\.self) + openChallenges.values + outbox.values.map(\.position)
  }
}
