internal import GatebookEvents

/// A portal's record of a user, brought to one form for 6.2 and 7.
///
/// Source: Liferay's JSON web services, `User`.
struct LiferayUserRecord {
  /// The keys that are 64-bit numbers: 6.2 sends JSON numbers, 7 sends texts.
  static let numbers = [
    "companyId", "contactId", "facebookId", "ldapServerId", "mvccVersion", "portraitId", "userId",
  ]
  /// A person's secrets; they are nobody's business and dropped on arrival.
  static let secrets = ["reminderQueryAnswer", "reminderQueryQuestion"]

  /// The user's id.
  let userID: Int64
  /// The portal instance; `nil` when the record does not say.
  let companyID: Int64?
  /// All keys but the secrets; unknown ones are kept.
  let attributes: UserAttributes

  /// Reads a result of a user command.
  ///
  /// - Throws: `content.unexpected` when there is no record or it has no user id.
  init(_ result: FactValue?, status: Int) throws(GatebookError) {
    guard var facts = result?.object, let id = facts["userId"].flatMap(LiferayNumber.read), id > 0
    else {
      throw .unexpected(
        "The portal answered without a user id.",
        remedy: "Check the portal's URL and version.", status: status
      ).faulting(.endpoint)
    }
    for name in Self.numbers {
      guard let value = facts[name], let number = LiferayNumber.read(value) else { continue }
      facts[name] = .integer(number)
    }
    for name in Self.secrets { facts[name] = nil }
    for name in facts.names {
      facts[name] = facts[name]?.flattened
    }
    userID = id
    companyID = facts["companyId"]?.integer
    attributes = UserAttributes(facts)
  }

  /// Reads what a portal answered to the question for a user.
  ///
  /// - Throws: The failure that any other answer means.
  init(
    in reply: HTTPReply, _ purpose: LiferayPurpose, _ portal: LiferayPortal
  ) throws(GatebookError) {
    let results = try LiferayAnswer.results(of: reply, purpose, portal)
    try self.init(results.first, status: reply.status)
  }

  /// What a machine proposes to which the portal has named this user.
  func outcome(
    _ person: Person, _ proof: any SessionProof, jar: CookieJar = CookieJar()
  ) -> Outcome {
    Outcome(person: person, evidence: .identity, attributes: attributes, proof: proof, jar: jar)
  }

  /// The name of somebody who typed it at the portal: the email address, else the screen name.
  var loginName: String {
    for key in ["emailAddress", "screenName"] {
      if let name = attributes.facts[key]?.text, !name.isEmpty { return name }
    }
    return String(userID)
  }

  /// Who this is at a portal; the server's own numbers, whatever name was typed.
  func person(at portal: LiferayPortal, loginName: String) -> Person {
    portal.person(
      id: String(userID), companyID: companyID ?? portal.companyID, loginName: loginName)
  }
}
