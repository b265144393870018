public import GatebookEvents

/// Further members of a server's token answer, by its own names, such as `patient` or
/// `instance_url`.
///
/// RFC 6749 section 5.1 lets servers add members to the answer of the token endpoint; Gatebook
/// keeps all of them. They may be as secret as the tokens: they are encrypted with them, and appear
/// in no event and no description.
///
/// Shape: a flat set of names; a nested value is kept as its JSON text. Numbers that are not 64-bit
/// integers are text. At most ``maximumSize`` bytes in all; a member that would exceed that is left
/// out.
public struct TokenMembers: Hashable, Sendable {
  /// The maximum size of names and values as JSON, in bytes.
  public static let maximumSize = 16 << 10

  /// The members by name.
  public private(set) var facts: Facts

  /// Nothing.
  package init() {
    facts = [:]
  }

  /// Takes the members of an answer except for those that are kept separately.
  init(of answer: Facts) {
    self.init()
    for name in answer.names where !Self.standard.contains(name) {
      facts[name] = answer[name]?.flattened
    }
    trim()
  }

  /// A member as text; integers and truth values in their JSON form, `nil` when it is absent or
  /// null.
  public subscript(name: String) -> String? { UserAttributes(facts)[name] }

  /// The names in ascending order.
  public var names: [String] { facts.names }

  /// Whether there are none.
  public var isEmpty: Bool { facts.isEmpty }

  /// The members after a renewal: those that its answer lacks stay.
  func renewed(by renewed: TokenMembers) -> TokenMembers {
    var members = renewed
    for name in facts.names where members.facts[name] == nil {
      members.facts[name] = facts[name]
    }
    members.trim(first: Set(renewed.names))
    return members
  }

  /// Leaves out what there is no room for.
  ///
  /// - Parameter first: The names whose members have room before the others.
  private mutating func trim(first: Set<String> = []) {
    var size = 0
    var kept: Set<[UInt8]> = []
    let ordered =
      facts.names.filter { first.contains($0) } + facts.names.filter { !first.contains($0) }
    for name in ordered {
      var member: Facts = [:]
      member[name] = facts[name]
      let added = size + member.encoded.count
      guard added <= Self.maximumSize else { continue }
      size = added
      // Bytes decide, as in facts: `==` of texts would take é and e´ for the same name.
      kept.insert(Array(name.utf8))
    }
    facts.keep { kept.contains(Array($0.utf8)) }
  }

  /// What is kept, or used, separately (RFC 6749 section 5.1, OpenID Connect Core 1.0 section
  /// 3.1.3.3).
  private static let standard: Set<String> = [
    "access_token", "expires_in", "id_token", "refresh_token", "scope", "token_type",
  ]
}

extension TokenMembers: Storable {
  package init?(record: Facts) { facts = record }
  package var record: Facts { facts }
}

extension TokenMembers: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Only their number.
  public var description: String { "\(names.count) members" }

  /// The same.
  public var debugDescription: String { description }

  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension HTTPReply {
  /// What a resource says of the token: the error codes of its challenges (RFC 6750 section 3.1,
  /// RFC 9449 section 7.1), and that of a JSON body, as some servers send it alone.
  var tokenErrors: Set<String> {
    var errors = Set(
      challenges.filter { ["bearer", "dpop"].contains($0.scheme) }.compactMap { $0["error"] })
    if body.count <= 64 << 10, let code = TokenRefusal.code(in: self) { errors.insert(code) }
    return errors
  }
}
