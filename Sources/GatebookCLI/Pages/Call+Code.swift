internal import Gatebook

extension Call {
  /// Shows codes to the person.
  var codeScreen: CodeScreen { CodeScreen { code in showCode(code) } }

  /// Says what to do on another device.
  private func showCode(_ code: DeviceCode) {
    progress.finish()
    showAddress(code.page)
    output.instruction("enter \(Printable.text(code.userCode))")
    if let page = code.completePage {
      output.message("This page has the code in it: \(page)")
    }
    showPicture(of: code.completePage ?? code.page)
    let minutes = (code.lifetime.components.seconds + 59) / 60
    let unit = minutes == 1 ? "minute" : "minutes"
    output.message("Waiting until that is done, for up to \(minutes) \(unit). Ctrl-C cancels.")
  }

  /// Shows a page's address as a picture for the other device's camera, where there is room for it.
  private func showPicture(of page: HTTPURL) {
    guard surroundings.isErrorTerminal, let picture = QRCode(page.description),
      picture.columns <= surroundings.errorColumns ?? 80
    else { return }
    let hasColor =
      surroundings.allowsErrorColor && !arguments.has(GlobalOptions.noColorOption)
    for line in picture.lines(hasColor: hasColor) { output.message(line) }
  }
}
