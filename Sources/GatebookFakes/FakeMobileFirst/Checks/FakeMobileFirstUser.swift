/// One user of a fake MobileFirst server, password included.
public struct FakeMobileFirstUser: Hashable, Sendable {
  /// The name to log in with, which is also the user's id.
  public var name: String
  /// The password.
  public var password: String
  /// The name that is shown.
  public var displayName: String
  /// What else the check tells about the user.
  public var attributes: [String: String]

  /// Makes a user; the name is shown unless another display name is given.
  public init(
    _ name: String, password: String, displayName: String? = nil,
    attributes: [String: String] = [:]
  ) {
    self.name = name
    self.password = password
    self.displayName = displayName ?? name
    self.attributes = attributes
  }
}
