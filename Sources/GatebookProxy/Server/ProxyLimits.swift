/// How much a proxy takes of programs that are slow, broken or many.
package struct ProxyLimits: Sendable {
  /// How many connections it serves at once; others wait to be accepted.
  package var connections = 1024
  /// How many requests are at the server at once; others wait here.
  package var requests = 256
  /// How long a connection may be without a request.
  package var idle = Duration.seconds(75)
  /// How long a header may take from its first byte.
  package var head = Duration.seconds(20)
  /// How long a body, or a program that reads its answer, may pause; how long a request with a
  /// short body may take from its first byte.
  package var pause = Duration.seconds(60)
  /// How long a program that sends no more may wait for an answer to begin: most have gone.
  package var hangUp = Duration.seconds(5)
  /// How many bytes of a body are kept for a side that is slower, in each direction.
  package var window = 256 << 10

  package init() {}
}
