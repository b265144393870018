import GatebookAuthentication
import Testing

/// What tells a page from an endpoint's answer.
struct HTMLDocumentTests {
  @Test(arguments: [
    "<!DOCTYPE html><title>Welcome</title>", "<!doctype HTML PUBLIC \"-//W3C//DTD HTML 4.01//EN\">",
    "<html>", "\r\n\t <HTML lang=\"en\">", "\u{FEFF}<html>", "<!-- hotel --> <!-- 2 -->\n<html>",
    "<?xml version=\"1.0\"?>\n<!DOCTYPE html>", "<head><title>x</title>", "<body>",
  ])
  func `a page is known by its beginning`(_ body: String) {
    #expect(HTTPReply.answer(200, body: body).isHTMLDocument)
  }

  @Test(arguments: [
    "", " ", "{}", "{\"a\":\"<html>\"}", "OK", "ok <html>", "<!-- no end <html>", "<", "<!--",
    "<xml/>", "<htm",
  ])
  func `anything else is none, whatever it is called`(_ body: String) {
    #expect(
      !HTTPReply.answer(200, ["Content-Type": "text/html"], body: body).isHTMLDocument)
  }
}
