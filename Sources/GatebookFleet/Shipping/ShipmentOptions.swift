/// How a book is shipped.
public struct ShipmentOptions: Sendable {
  /// The name of the machine; `nil` leaves it out.
  public var machine: String?
  /// Whether the encrypted facts of events are sent too.
  ///
  /// The fleet cannot decrypt them. It can give a copy of the book only if it has them.
  public var sendsPersonal: Bool
  /// Whether events are sent straight to the server that the book's part lies on, and not through
  /// the coordinator.
  public var isDirect: Bool
  /// Adds pseudonyms of people's names, which needs the book's key; `nil` for none.
  public var pseudonymKey: PseudonymKey?

  /// Makes options.
  public init(
    machine: String? = nil, sendsPersonal: Bool = true, isDirect: Bool = false,
    pseudonymKey: PseudonymKey? = nil
  ) {
    self.machine = machine
    self.sendsPersonal = sendsPersonal
    self.isDirect = isDirect
    self.pseudonymKey = pseudonymKey
  }
}
