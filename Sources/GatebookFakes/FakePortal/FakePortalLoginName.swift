/// By which name a portal's users log in.
public enum FakePortalLoginName: String, CaseIterable, Sendable {
  /// By any of the three.
  case any
  /// By e-mail address.
  case emailAddress
  /// By screen name.
  case screenName
  /// By user id.
  case userID = "userId"

  func names(_ user: FakePortalUser, as name: String) -> Bool {
    switch self {
    case .emailAddress: user.emailAddress.lowercased() == name.lowercased()
    case .screenName: user.screenName.lowercased() == name.lowercased()
    case .userID: String(user.userID) == name
    case .any:
      [.emailAddress, .screenName, .userID].contains { (kind: Self) in kind.names(user, as: name) }
    }
  }
}
