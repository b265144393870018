internal import CCurl
internal import GatebookAuthentication

extension Transfer {
  /// Lets libcurl's callbacks fill this transfer.
  ///
  /// It is handed over without a retain: the loop holds it for as long as the easy handle runs.
  func setReceivers() throws(CurlStatus) {
    let transfer = UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
    try library.set(easy, CURLOPT_HEADERDATA, pointer: transfer)
    try library.set(easy, CURLOPT_HEADERFUNCTION) { bytes, size, count, transfer in
      let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
      return Transfer.at(transfer)?.reader.receive(line: line) == true ? line.count : refused
    }
    try library.set(easy, CURLOPT_WRITEDATA, pointer: transfer)
    try library.set(easy, CURLOPT_WRITEFUNCTION) { bytes, size, count, transfer in
      let piece = UnsafeRawBufferPointer(start: bytes, count: size * count)
      return Transfer.at(transfer)?.receive(body: piece) == true ? piece.count : refused
    }
    if ask.request.source != nil {
      try library.set(easy, CURLOPT_READDATA, pointer: transfer)
      try library.set(easy, CURLOPT_READFUNCTION) { bytes, size, count, transfer in
        let buffer = UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
        return Transfer.at(transfer)?.fill(buffer) ?? Int(CURL_READFUNC_ABORT)
      }
    }
    try library.set(easy, CURLOPT_PREREQDATA, pointer: transfer)
    try library.setPrerequest(easy) { transfer, _, _, _, _ in
      guard let transfer = Transfer.at(transfer), transfer.begin() else {
        return CURL_PREREQFUNC_ABORT
      }
      return CURL_PREREQFUNC_OK
    }
  }

  /// The transfer of the pointer that its callbacks get.
  static func at(_ pointer: UnsafeMutableRawPointer?) -> Transfer? {
    pointer.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
  }
}

/// A count that no call hands over, so libcurl ends the transfer, also when a piece is empty.
private let refused = -1
