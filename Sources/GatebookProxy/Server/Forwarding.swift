internal import Gatebook

/// A request that a connection forwards, and how far it has come.
final class Forwarding {
  let head: RequestHead
  var request: HTTPRequest
  let framing: BodyFraming
  let exchange: Exchange
  /// How many bytes of a body with a length are still to come.
  var left = 0
  var chunks = ChunkReader()
  var isUploadEnded = false
  /// Whether the program waits to be asked for the body and was not.
  var isAsked: Bool
  /// The answer, once it has begun.
  var answer: AnswerHead?
  /// Whether it counts as a request at the server.
  var isUnderWay = false
  /// How many bytes of it were written.
  var answered = 0

  init(_ head: RequestHead, _ request: HTTPRequest, _ framing: BodyFraming, _ exchange: Exchange) {
    self.head = head
    self.request = request
    self.framing = framing
    self.exchange = exchange
    isAsked = !head.expectsContinue
    if case .length(let count) = framing { left = count }
    isUploadEnded = framing == .none
  }

  var isHeadSent: Bool { answer != nil }

  /// The length that the server gets; `nil` where only the end says it.
  var bodyLength: Int? {
    switch framing {
    case .none: 0
    case .length(let count): count
    case .chunked: nil
    }
  }
}
