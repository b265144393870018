/// One security check of a fake MobileFirst server.
public struct FakeSecurityCheck: Hashable, Sendable {
  /// What a check asks for.
  public enum Kind: Hashable, Sendable {
    /// Name and password (`username`, `password`, optionally `rememberMe`).
    ///
    /// Without a list of users every name is right whose password is the name itself.
    case userLogin(users: [FakeMobileFirstUser]? = nil)
    /// A PIN (`pin`).
    case pin(String)
    /// A PIN that says nothing, right answers included, unless another check has succeeded.
    ///
    /// Its challenge counts no attempts. With `bringsAlong`, asking for this check asks for the
    /// other one too, so a challenge may carry a name that no client asked for.
    case stepUpPin(String, dependsOn: String, bringsAlong: Bool = false)
    /// Never a challenge, a success or a failure: it lets clients pass or it does not.
    case silent(passes: Bool)
  }

  /// The name, as scopes and challenges give it.
  public var name: String
  /// What it asks for.
  public var kind: Kind
  /// How long its states hold.
  public var settings: FakeSecurityCheckSettings

  /// Makes a check.
  ///
  /// - Parameters:
  ///   - name: The name, without white space.
  ///   - kind: What it asks for.
  ///   - settings: How long its states hold; as in the base classes unless given.
  public init(
    _ name: String, _ kind: Kind, settings: FakeSecurityCheckSettings = FakeSecurityCheckSettings()
  ) {
    self.name = name
    self.kind = kind
    self.settings = settings
  }

  /// The check that must have succeeded first.
  var dependency: String? {
    if case .stepUpPin(_, let name, _) = kind { name } else { nil }
  }

  /// Whether asking for this check asks for its dependency too.
  var bringsAlong: Bool {
    if case .stepUpPin(_, _, let bringsAlong) = kind { bringsAlong } else { false }
  }
}
