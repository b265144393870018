extension GatebookError {
  /// The failure as an event tells it.
  var facts: Facts {
    [
      "code": .text(code.rawValue), "error": .optional(serverCode), "fault": .optional(fault),
      "status": .optional(status.map(Int64.init)),
    ]
  }
}
