internal import Gatebook

extension Personal {
  /// The value for programs: as it is, or the word for why it cannot be seen.
  func json(_ transform: (Value) -> JSON) -> JSON {
    switch self {
    case .known(let value): transform(value)
    case .sealed: .sealed
    case .forgotten: .text("forgotten")
    case .lost: .text("lost")
    }
  }
}

extension Personal<String> {
  /// The value for people; what cannot be seen stands in brackets.
  var text: String {
    switch self {
    case .known(let value): value
    case .sealed: "(sealed)"
    case .forgotten: "(forgotten)"
    case .lost: "(lost)"
    }
  }
}
