internal import Gatebook

extension PortalState {
  private static let attemptLimit = 5

  /// Judges a name and a password and keeps count of the wrong ones.
  ///
  /// - Parameters:
  ///   - name: The login name.
  ///   - password: The password.
  ///   - kind: What the name is.
  /// - Returns: The user; `nil` for a wrong name or password, or a lockout.
  mutating func authenticate(
    _ name: String, _ password: String, by kind: FakePortalLoginName
  ) -> FakePortalUser? {
    guard let user = users.first(where: { kind.names($0, as: name) }) else { return nil }
    guard user.password == password else {
      recordFailure(of: user.userID)
      return nil
    }
    guard !user.isLockedOut else { return nil }
    change(user.userID) { $0.failedLoginAttempts = 0 }
    return self.user(user.userID)
  }

  private mutating func recordFailure(of userID: Int64) {
    let moment = now.wall
    change(userID) { user in
      user.failedLoginAttempts += 1
      user.lastFailedLogin = moment
      guard user.failedLoginAttempts >= Self.attemptLimit, !user.isLockedOut else { return }
      user.isLockedOut = true
      user.lockedOut = moment
    }
  }
}
