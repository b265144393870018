/// What a fake MobileFirst server protects, and how: its application configuration.
public struct FakeMobileFirstApplication: Hashable, Sendable {
  /// All security checks.
  public var checks: [FakeSecurityCheck]
  /// Which checks a scope element stands for, none or more; other elements are names of checks.
  public var elements: [String: [String]]
  /// Checks that run for every scope and are named in none.
  public var mandatoryChecks: [String]
  /// The adapters' protected and public resources.
  public var resources: [FakeAdapterResource]
  /// The longest life of an access token.
  public var maxTokenExpiration: Duration
  /// How long a refresh token lives; `nil` when there are none.
  public var refreshTokenExpiration: Duration?
  /// The first part of every path: `/mfp/api/…`.
  public var context: String

  /// Makes a configuration.
  ///
  /// - Parameters:
  ///   - checks: All security checks.
  ///   - elements: Which checks a scope element stands for.
  ///   - mandatoryChecks: Checks that run for every scope.
  ///   - resources: The adapters' resources.
  ///   - maxTokenExpiration: The longest life of an access token; an hour unless given.
  ///   - refreshTokenExpiration: How long a refresh token lives (30 days on a real server that has
  ///     them switched on); no refresh tokens unless given.
  ///   - context: The first part of every path.
  public init(
    checks: [FakeSecurityCheck], elements: [String: [String]] = [:],
    mandatoryChecks: [String] = [], resources: [FakeAdapterResource] = FakeAdapterResource.samples,
    maxTokenExpiration: Duration = .seconds(3600), refreshTokenExpiration: Duration? = nil,
    context: String = "mfp"
  ) {
    self.checks = checks
    self.elements = elements
    self.mandatoryChecks = mandatoryChecks
    self.resources = resources
    self.maxTokenExpiration = maxTokenExpiration
    self.refreshTokenExpiration = refreshTokenExpiration
    self.context = context
  }

  /// The check of a name.
  func check(_ name: String) -> FakeSecurityCheck? {
    checks.first { $0.name == name }
  }

  /// The checks of a scope, mandatory ones included; `nil` when an element is neither mapped nor
  /// the name of a check.
  func selection(for scope: String) -> CheckSelection? {
    var names = mandatoryChecks
    for element in ScopeElements(scope).named {
      guard let mapped = elements[element] ?? (check(element) == nil ? nil : [element]) else {
        return nil
      }
      names += mapped
    }
    var seen: Set<String> = []
    return CheckSelection(names.filter { seen.insert($0).inserted }, from: checks)
  }
}
