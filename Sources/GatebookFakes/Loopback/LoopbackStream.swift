/// Bytes in both directions between a loopback server and one client, plain or through TLS.
protocol LoopbackStream {
  /// Reads what is there, at most 64 KiB; empty at the end of the stream or after an error.
  func receive() -> [UInt8]

  /// Writes everything; `false` when the other side is gone.
  func send(_ bytes: some Collection<UInt8>) -> Bool

  /// Ends both directions at once by a reset: what the other side has not read is lost.
  func reset()

  /// Tells the other side that nothing more comes.
  func endSending()
}

extension LoopbackStream {
  /// Waits until the other side ends the stream.
  func drain() {
    while !receive().isEmpty {}
  }
}

extension LoopbackSocket: LoopbackStream {}
