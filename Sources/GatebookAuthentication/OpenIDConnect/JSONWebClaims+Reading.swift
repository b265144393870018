internal import GatebookEvents

extension JSONWebClaims {
  /// Whether a claim is there.
  func has(_ claim: IDTokenRefusal.Claim) -> Bool {
    if case .absent = text(claim.rawValue) { false } else { true }
  }

  /// A claim; `nil` if it is not there.
  func text(_ claim: IDTokenRefusal.Claim) throws(IDTokenRefusal) -> String? {
    try present(text(claim.rawValue), claim)
  }

  /// A claim; `nil` if it is not there.
  func moment(_ claim: IDTokenRefusal.Claim) throws(IDTokenRefusal) -> Timestamp? {
    try present(moment(claim.rawValue), claim)
  }

  /// A claim that some servers write as a text, such as `"1700000000"`; `nil` if it is not there.
  func writtenMoment(_ claim: IDTokenRefusal.Claim) throws(IDTokenRefusal) -> Timestamp? {
    try present(moment(claim.rawValue, isText: true), claim)
  }

  private func present<Value>(
    _ reading: Reading<Value>, _ claim: IDTokenRefusal.Claim
  ) throws(IDTokenRefusal) -> Value? {
    switch reading {
    case .absent: nil
    case .malformed: throw .malformed(claim)
    case .value(let value): value
    }
  }

  /// A claim that nothing is decided by unless it was asked for; `nil` also if it is malformed.
  func optionalText(_ name: String) -> String? {
    if case .value(let text) = text(name) { text } else { nil }
  }

  /// Some servers send one text where the standard has a list.
  func optionalTexts(_ name: String) -> [String] {
    if case .value(let texts) = texts(name) { texts } else { [] }
  }
}
