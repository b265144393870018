public import GatebookEvents

/// The user whom a security check authenticated.
///
/// Source: section 6.5, `AuthenticatedUser`.
public struct AuthenticatedUser: Hashable, Sendable {
  /// The server's id of the user.
  public let id: String
  /// The display name; the id if the server has none.
  public let displayName: String
  /// When the user last gave credentials, by the server's clock; a remembered login keeps it.
  public let authenticatedAt: Timestamp?
  /// The check that authenticated.
  public let authenticatedBy: String
  /// Further attributes from the check.
  public let attributes: Facts

  /// Decodes the value of `user`; `nil` without an id: nobody is named then.
  package init?(_ value: FactValue) {
    guard let facts = value.object, let id = facts["id"].flatMap(Self.text), !id.isEmpty else {
      return nil
    }
    self.id = id
    displayName = facts["displayName"]?.text ?? id
    authenticatedBy = facts["authenticatedBy"]?.text ?? ""
    attributes = facts["attributes"]?.object ?? [:]
    authenticatedAt = facts["authenticatedAt"]?.integer.flatMap { milliseconds in
      let (value, overflow) = milliseconds.multipliedReportingOverflow(by: 1000)
      return overflow ? nil : Timestamp(rawValue: value)
    }
  }

  private static func text(_ value: FactValue) -> String? {
    value.text ?? value.integer.map { String($0) }
  }

  /// The user as the account's attributes: the four facts by the protocol's names, beside them the
  /// server's own attributes.
  ///
  /// One with a name of the four is stored as `attributes.` and its name; a nested value is its
  /// JSON text.
  package var userAttributes: UserAttributes {
    var facts: Facts = [
      "authenticatedAt": .optional(authenticatedAt.map { $0.rawValue / 1000 }),
      "authenticatedBy": .text(authenticatedBy), "displayName": .text(displayName),
      "id": .text(id),
    ]
    let own = ["authenticatedAt", "authenticatedBy", "displayName", "id"]
    for name in attributes.names {
      facts[own.contains(name) ? "attributes.\(name)" : name] = attributes[name]?.flattened
    }
    return UserAttributes(facts)
  }
}
