internal import Foundation

/// One object that `gatebook` printed, read by somebody else's parser.
struct JSONObject {
  private let members: [String: Any]

  /// It is no object.
  struct Malformed: Error {
    let text: String
  }

  init(_ text: String) throws {
    let value = try JSONSerialization.jsonObject(with: Data(text.utf8))
    guard let members = value as? [String: Any] else { throw Malformed(text: text) }
    self.members = members
  }

  /// The value of a member.
  struct Value {
    fileprivate let raw: Any

    var text: String? { raw as? String }
    var integer: Int? { raw as? Int }
    var bool: Bool? { raw as? Bool }
    var object: JSONObject? { (raw as? [String: Any]).map(JSONObject.init(members:)) }
    var texts: [String]? { raw as? [String] }
    var pairs: [[Int]]? { raw as? [[Int]] }
    var isEmptyList: Bool { (raw as? [Any])?.isEmpty == true }
  }

  subscript(name: String) -> Value? { members[name].map(Value.init(raw:)) }

  private init(members: [String: Any]) {
    self.members = members
  }
}
