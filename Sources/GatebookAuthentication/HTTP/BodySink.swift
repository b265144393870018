public import GatebookEvents

/// Takes the body of an answer piece by piece, so that it is never in memory as a whole.
///
/// ```swift
/// var download = HTTPRequest.get(url)
/// download.sink = BodySink { piece throws(GatebookError) in hash.update(piece) }
/// let reply = try await book.send(download)   // 200: reply.body is empty
/// ```
///
/// It gets the body of a successful answer (status 200 to 299). The body of any other answer is in
/// ``HTTPReply/body``, because the session rules and the caller must read it. A transfer that
/// breaks off throws; the pieces that came before were handed over already.
public final class BodySink: Sendable {
  /// Takes status and header fields, once, before the first piece.
  public typealias Begin = @Sendable (HTTPReply) throws(GatebookError) -> Void
  /// Takes the next bytes, which are valid during the call only.
  public typealias Receive = @Sendable (UnsafeRawBufferPointer) throws(GatebookError) -> Void

  private let begin: Begin
  private let receive: Receive
  /// Whether there is room for more; a transport that streams waits for it.
  package let hasRoom: @Sendable () -> Bool
  /// Whether it takes the beginning of a short body too, as soon as the server pauses.
  package let isPrompt: Bool
  /// Tells the transport to look again.
  package let bell = TransportBell()

  /// Makes a sink.
  ///
  /// Both closures run on the transport's thread, one call after the other. As long as one runs, no
  /// other request of the transport makes progress. What they throw ends the request.
  ///
  /// - Parameters:
  ///   - begin: Takes status and header fields.
  ///   - receive: Takes the next bytes.
  public init(
    begin: @escaping Begin = { _ throws(GatebookError) in }, receive: @escaping Receive
  ) {
    self.begin = begin
    self.receive = receive
    hasRoom = { true }
    isPrompt = false
  }

  /// Makes a sink that hands an answer on while it comes, no faster than it is taken there.
  ///
  /// - Parameters:
  ///   - hasRoom: Whether there is room for more; ring ``bell`` when there is again. It runs on the
  ///     transport's thread.
  ///   - begin: Takes status and header fields.
  ///   - receive: Takes the next bytes, also where there was no room.
  package init(
    promptly hasRoom: @escaping @Sendable () -> Bool, begin: @escaping Begin,
    receive: @escaping Receive
  ) {
    self.begin = begin
    self.receive = receive
    self.hasRoom = hasRoom
    isPrompt = true
  }

  /// Starts a body; a transport calls it once, before the first piece.
  ///
  /// - Parameter head: The answer without its body.
  /// - Throws: What the closure throws.
  public func start(_ head: HTTPReply) throws(GatebookError) { try begin(head) }

  /// Hands over the next bytes; a transport calls it while it receives.
  ///
  /// - Parameter piece: The bytes, after decompression.
  /// - Throws: What the closure throws.
  public func take(_ piece: UnsafeRawBufferPointer) throws(GatebookError) { try receive(piece) }

  /// Whether a sink gets the body of an answer with that status.
  public static func takes(_ status: Int) -> Bool { (200...299).contains(status) }
}

extension BodySink: Hashable {
  /// A sink is equal to itself alone.
  public static func == (left: BodySink, right: BodySink) -> Bool { left === right }

  /// Hashes its identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
