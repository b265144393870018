/// One user of a fake gateway, password included.
public struct FakeGatewayUser: Hashable, Sendable {
  /// The name to log in with.
  public var username: String
  /// The password.
  public var password: String
  /// The name at the telephone exchange, which the login tells.
  public var voiceUser: String
  /// The domain of that name.
  public var voiceDomain: String

  /// Makes a user.
  ///
  /// - Parameters:
  ///   - username: The name to log in with.
  ///   - password: The password.
  ///   - voiceUser: The name at the exchange; the same name unless given.
  ///   - voiceDomain: The domain of that name.
  public init(
    _ username: String, password: String, voiceUser: String? = nil,
    voiceDomain: String = "voice.example.test"
  ) {
    self.username = username
    self.password = password
    self.voiceUser = voiceUser ?? username
    self.voiceDomain = voiceDomain
  }

  /// Ada; her password needs every kind of encoding in JSON.
  public static let ada = FakeGatewayUser(
    "ada", password: #"p"a\ss: 100%ä🔑"#, voiceUser: "1001")
  /// Ben.
  public static let ben = FakeGatewayUser("ben", password: "ben's own password", voiceUser: "1002")

  /// The users of a fake gateway that nobody gave others.
  public static let samples = [ada, ben]
}

/// One session of a fake gateway that was not ended.
public struct FakeGatewaySession: Hashable, Sendable {
  /// The session's id: any text.
  public var id: String
  /// Who logged in.
  public var username: String
  /// The value of the `JSESSIONID` that came with it.
  public var cookie: String
}
