internal import GatebookEvents
internal import Testing

@testable internal import Gatebook
@testable internal import GatebookCLI

/// Which account answers a program: each outcome, and all that it depends on.
struct CredentialChoiceTests {
  /// An account whose credentials go to the place that is asked about.
  struct Account: Sendable {
    /// Its login name, which its label and its address begin with.
    let name: String
    /// What a program could send there; `nil` for nothing, as for another path or realm.
    var secret: ProgramCredential.Kind?
    var state = SessionState.active
    var isCurrent = false
    /// Whether `--account` or the environment names it.
    var isNamed = false

    static func password(
      _ name: String, current: Bool = false, named: Bool = false
    ) -> Account {
      Account(name: name, secret: .password, isCurrent: current, isNamed: named)
    }

    static func token(_ name: String, current: Bool = false, named: Bool = false) -> Account {
      Account(name: name, secret: .token, isCurrent: current, isNamed: named)
    }

    /// One that has nothing for this place.
    static func without(
      _ name: String, _ state: SessionState = .active, current: Bool = false, named: Bool = false
    ) -> Account {
      Account(name: name, secret: nil, state: state, isCurrent: current, isNamed: named)
    }

    func inState(_ state: SessionState) -> Account {
      var account = self
      account.state = state
      return account
    }

    func holder(_ number: UInt8) throws -> CredentialHolder {
      var folded = AccountState.blank
      folded.state = state
      let id = try #require(AccountID(bytes: Array(repeating: 7, count: 15) + [number]))
      let context = SessionContext(
        id, folded, isCurrent: isCurrent, label: .known(name + "-label"), loginName: .known(name),
        attributes: .known(UserAttributes(["email": .text(name + "@example.org")])))
      let credential = secret.map {
        ProgramCredential(
          account: id, kind: $0, user: name, secret: Secret("s3cret"), expiresAt: nil,
          isRecorded: true)
      }
      return CredentialHolder(context: context, credential: credential, isReady: true)
    }
  }

  /// What a program asks for.
  struct Question: Sendable {
    var user: String?
    var keepsUser = false
    var wantsToken = false
    var saysWhere = true
    /// Whether `--account` names an account that has nothing to do with the place.
    var namesStranger = false

    static let any = Question()
    static let token = Question(wantsToken: true)
    static func of(_ user: String) -> Question { Question(user: user) }
    /// The program sends that name itself.
    static func kept(_ user: String) -> Question { Question(user: user, keepsUser: true) }
  }

  /// The outcome, with the names of the accounts.
  enum Outcome: Equatable, Sendable {
    case holder(String)
    case several([String])
    case needsLogin(String)
    case unfit(String)
    case nobody

    init(_ choice: CredentialChoice) {
      switch choice {
      case .holder(let holder): self = .holder(Self.name(holder.context))
      case .several(let accounts): self = .several(accounts.map(Self.name))
      case .needsLogin(let context): self = .needsLogin(Self.name(context))
      case .unfit(let context): self = .unfit(Self.name(context))
      case .nobody: self = .nobody
      }
    }

    private static func name(_ context: SessionContext) -> String { context.loginName.value ?? "" }
  }

  typealias Row = ([Account], Question, Outcome)

  // MARK: Among several accounts

  private static let accounts: [Row] = [
    ([], .any, .nobody),
    ([.password("ada")], .any, .holder("ada")),
    ([.token("ada")], .any, .holder("ada")),
    ([.password("ada"), .token("bo", current: true)], .any, .holder("bo")),
    ([.password("ada"), .token("bo")], .any, .several(["ada", "bo"])),
    // The current account has nothing for this place.
    ([.password("ada"), .without("bo", current: true)], .any, .holder("ada")),
    (
      [.password("ada"), .password("cy"), .without("bo", current: true)], .any,
      .several(["ada", "cy"])
    ),
    // The one that is named goes before the current one.
    ([.password("ada", named: true), .token("bo", current: true)], .any, .holder("ada")),
    ([.password("ada", current: true)], Question(namesStranger: true), .nobody),
  ]

  // MARK: The user that the program names

  private static let users: [Row] = [
    ([.password("ada"), .password("bo")], .of("bo"), .holder("bo")),
    ([.password("ada")], .of("ada-label"), .holder("ada")),
    ([.password("ada")], .of("ada@example.org"), .holder("ada")),
    ([.password("ada")], .of("ADA"), .nobody),
    ([.password("ada", current: true)], .of("bo"), .nobody),
    ([.password("ada", named: true)], .of("bo"), .nobody),
    // The server would refuse another name beside the password.
    ([.password("ada")], .kept("ada"), .holder("ada")),
    ([.password("ada")], .kept("ada-label"), .nobody),
    // A token goes with a name of its own.
    ([.token("ada")], .kept("ada-label"), .holder("ada")),
    ([.token("ada")], .of("oauth2"), .holder("ada")),
    ([.token("ada")], .kept("x-access-token"), .holder("ada")),
    ([.token("ada"), .password("bo", current: true)], .of("oauth2"), .holder("ada")),
    ([.password("ada")], .of("oauth2"), .nobody),
    ([.password("ada"), .token("ada")], .of("ada"), .several(["ada", "ada"])),
  ]

  // MARK: A token alone, another path or realm

  private static let fitting: [Row] = [
    ([.password("ada", current: true), .token("bo")], .token, .holder("bo")),
    ([.password("ada")], .token, .nobody),
    ([.password("ada", named: true)], .token, .unfit("ada")),
    // The program does not say where the token goes: only the account can be meant.
    ([.password("ada")], Question(wantsToken: true, saysWhere: false), .unfit("ada")),
    ([], Question(wantsToken: true, saysWhere: false), .nobody),
    ([.without("ada")], .any, .nobody),
    ([.without("ada", current: true)], .any, .nobody),
    ([.without("ada", named: true)], .any, .unfit("ada")),
    ([.without("ada")], .of("ada"), .unfit("ada")),
    ([.without("ada")], .of("bo"), .nobody),
    ([.without("ada"), .password("bo")], .any, .holder("bo")),
  ]

  // MARK: Sessions that cannot be used

  private static let over: [Row] = [
    (
      [.password("ada").inState(.offline(lastVerified: Timestamp(rawValue: 0)))], .any,
      .holder("ada")
    ),
    ([.token("ada").inState(.uncertain)], .any, .holder("ada")),
    ([.without("ada", .needsLogin(.expired))], .any, .needsLogin("ada")),
    ([.without("ada", .challenged)], .any, .needsLogin("ada")),
    ([.without("ada", .needsLogin(.expired))], .of("ada"), .needsLogin("ada")),
    ([.without("ada", .needsLogin(.expired))], .of("bo"), .nobody),
    ([.without("ada", .needsLogin(.refused)), .password("bo")], .any, .holder("bo")),
    (
      [.without("ada", .needsLogin(.refused), current: true), .password("bo")], .any,
      .holder("bo")
    ),
    (
      [.without("ada", .needsLogin(.refused), named: true), .password("bo", current: true)],
      .any, .needsLogin("ada")
    ),
    ([.without("ada", .challenged), .without("bo", .challenged)], .any, .nobody),
    (
      [.without("ada", .challenged), .without("bo", .challenged, current: true)], .any,
      .needsLogin("bo")
    ),
    // A logout ends what the program had: the person reads how to log in again.
    ([.without("ada", .ended(.user))], .any, .needsLogin("ada")),
    ([.without("ada", .ended(.user))], .of("ada"), .needsLogin("ada")),
    ([.without("ada", .ended(.user), named: true)], .any, .needsLogin("ada")),
    ([.without("ada", .ended(.erased), named: true)], .any, .nobody),
  ]

  @Test(arguments: accounts + users + fitting + over)
  func `an account answers, or the reason is one`(
    _ accounts: [Account], _ asked: Question, _ outcome: Outcome
  ) throws {
    let holders = try zip(UInt8(1)..., accounts).map { try $1.holder($0) }
    var question = CredentialQuestion(
      deed: .get, urls: asked.saysWhere ? [try #require(HTTPURL("https://git.example/"))] : nil,
      user: asked.user)
    question.keepsUser = asked.keepsUser
    question.wantsToken = asked.wantsToken
    let stranger = asked.namesStranger ? try Account.password("cy").holder(0) : nil
    let named = zip(accounts, holders).first { $0.0.isNamed }?.1 ?? stranger
    let choice = CredentialChoice(
      among: holders, for: question, named: named?.context.account,
      tokenUser: TokenUser(Arguments()))
    #expect(Outcome(choice) == outcome)
  }
}
